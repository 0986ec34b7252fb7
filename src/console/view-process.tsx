import type { FC } from 'hono/jsx';
import { platformIdentifierOf } from '../import-processes';
import type { ProcessDetails, ProcessEvent, SupplierDetails } from '../operator';
import { Crumbs, Page } from './layout';
import { May } from './may';
import { at, DialogLink, Moment, StatusBadge } from './parts';
import { Form } from './parts-forms';
import type { Session } from './session';
import { ErasedNote } from './view-erase';
import { errorWords, eventWords, plural } from './words';

export interface ProcessProps {
  readonly session: Session;
  readonly supplier: SupplierDetails;
  readonly process: ProcessDetails;
  /** The payload as staged, where it was asked for. */
  readonly revealed?: { readonly payload: unknown } | undefined;
  readonly notice?: string | undefined;
  readonly refused?: string | undefined;
}

const Trouble: FC<{ process: ProcessDetails }> = ({ process: { error } }) => {
  if (!error) return null;
  const words = errorWords(error.code);
  return (
    <div class="note bad">
      <b>{words.what}</b>
      <p>{words.next}</p>
      {error.errors && error.errors.length > 0 ? (
        <ul>
          {error.errors.map(({ attr, code, detail }) => (
            <li>
              <code>{attr}</code> {detail} <code>{code}</code>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
};

const Event: FC<{ event: ProcessEvent }> = ({ event }) => {
  const [words, tone] = eventWords(event.event);
  return (
    <li class={tone}>
      <b>{words}</b>
      {event.error ? <code class="soft"> {event.error.code}</code> : null}
      <div class="soft small">
        <Moment instant={event.occurredAt} />
      </div>
    </li>
  );
};

const Timeline: FC<{ process: ProcessDetails }> = ({ process: { events, status, row } }) => (
  <ol class="timeline">
    {events.map((event) => (
      <Event event={event} />
    ))}
    {status === 'IN_PROGRESS' ? (
      <li class="moving">
        <b>Being created</b>
        <div class="soft small">{row.startedAt === null ? null : <Moment instant={row.startedAt} />}</div>
      </li>
    ) : null}
    {status === 'PENDING' ? (
      <li>
        <b>Waiting</b>
        <div class="soft small">{row.windowStart === null ? 'for its turn' : 'for its window'}</div>
      </li>
    ) : null}
  </ol>
);

const ImportDetails: FC<{ process: ProcessDetails }> = ({ process: { row } }) => (
  <dl class="pairs">
    <dt>Account number</dt>
    <dd class="mono">{row.accountNumber === null ? 'none yet' : <a href={at('accounts', row.accountNumber)}>{row.accountNumber}</a>}</dd>
    {row.accountNumber === null ? null : (
      <>
        <dt>Platform identifier</dt>
        <dd class="mono">{platformIdentifierOf(row.accountNumber)}</dd>
      </>
    )}
    <dt>First created</dt>
    <dd>
      <Moment instant={row.createdAt} />
    </dd>
    {row.windowStart === null && row.windowEnd === null ? null : (
      <>
        <dt>Window</dt>
        <dd>
          {row.windowStart === null ? 'any time' : <Moment instant={row.windowStart} />} to{' '}
          {row.windowEnd === null ? 'any time' : <Moment instant={row.windowEnd} />}
        </dd>
      </>
    )}
    <dt>Tries</dt>
    <dd>{plural(row.attempts, 'try', 'tries')} since it was scheduled</dd>
    <dt>Payload</dt>
    <dd>{row.erasedAt !== null ? 'erased' : row.body === '' ? 'emptied by retention' : plural(row.payloadBytes, 'byte')}</dd>
    {row.isDryRun === 1 ? (
      <>
        <dt>Dry run</dt>
        <dd>Validated like a real import; only its outcome is stored</dd>
      </>
    ) : null}
  </dl>
);

/** What was never imported, and is not just now; of what was imported the account is erased. */
const mayBeErased = ({ status, row }: ProcessDetails): boolean =>
  status !== 'IN_PROGRESS' && status !== 'PROCESSED' && row.erasedAt === null;

export const ProcessPage: FC<ProcessProps> = ({ session, supplier, process, revealed, notice, refused }) => {
  const external = process.row.externalAccountNumber;
  const here = at('suppliers', supplier.code, 'processes', external);
  const isOpen = process.status === 'PENDING' || process.status === 'IN_PROGRESS';
  return (
    <Page title={external} place="Overview" session={session} notice={notice}>
      <div
        class="stack"
        id="process"
        {...(isOpen && !revealed
          ? { 'hx-get': here, 'hx-trigger': 'every 2s', 'hx-select': '#process', 'hx-swap': 'outerHTML', 'data-live': true }
          : {})}
      >
        <div class="head">
          <div class="head-text">
            <Crumbs
              path={[
                ['Suppliers', '/operator/'],
                [supplier.name, at('suppliers', supplier.code)],
                ['Accounts', at('suppliers', supplier.code, 'processes')],
              ]}
            />
            <div class="head-line">
              <h1>{external}</h1>
              <StatusBadge status={process.status} />
            </div>
          </div>
          <May role={session.role} needs="operate">
            <div class="actions">
              {process.status === 'ERRORED' ? (
                <Form action={at('suppliers', supplier.code, 'processes', external, 'retry')} token={session.formToken}>
                  <button type="submit" class="primary">
                    Retry
                  </button>
                </Form>
              ) : null}
              <May role={session.role} needs="administer">
                {mayBeErased(process) ? (
                  <DialogLink id="erase" class="button danger" href={at('suppliers', supplier.code, 'processes', external, 'erase')}>
                    Erase…
                  </DialogLink>
                ) : null}
              </May>
              {process.status === 'PENDING' ? (
                <DialogLink id="cancel" class="button danger" href={at('suppliers', supplier.code, 'processes', external, 'cancel')}>
                  Cancel import…
                </DialogLink>
              ) : null}
            </div>
          </May>
        </div>
        {refused ? (
          <p class="note bad" role="alert">
            {refused}
          </p>
        ) : null}
        <ErasedNote erasedAt={process.row.erasedAt} />
        <Trouble process={process} />
        <div class="grid-2">
          <section class="card" aria-labelledby="details-title">
            <div class="card-head">
              <h2 id="details-title">Import</h2>
            </div>
            <div class="card-body">
              <ImportDetails process={process} />
            </div>
          </section>
          <section class="card" aria-labelledby="timeline-title">
            <div class="card-head">
              <h2 id="timeline-title">What happened</h2>
            </div>
            <div class="card-body">
              <Timeline process={process} />
            </div>
          </section>
        </div>
      </div>
      {process.payload === undefined ? null : (
        <section class="card" aria-labelledby="payload-title">
          <div class="card-head">
            <h2 id="payload-title">Payload</h2>
            <span class="soft small">{revealed ? 'as it was sent; that you looked is in the audit log' : 'personal data masked'}</span>
          </div>
          <div class="card-body stack">
            <pre class="payload" tabindex={0}>
              {JSON.stringify(revealed ? revealed.payload : process.payload, null, 2)}
            </pre>
            {revealed ? null : (
              <May role={session.role} needs="operate">
                <Form action={at('suppliers', supplier.code, 'processes', external, 'reveal')} token={session.formToken}>
                  <div class="actions">
                    <button type="submit">Reveal personal data</button>
                    <span class="soft small">Each reveal is audited.</span>
                  </div>
                </Form>
              </May>
            )}
          </div>
        </section>
      )}
    </Page>
  );
};
