import type { FC } from 'hono/jsx';
import type { Status } from '../import-processes';
import type { SupplierDetails } from '../operator';
import { type Reconciliation, RUN_TOTALS, type RunErrorRow, type RunRow, shownTotal } from '../runs';
import { Crumbs, Page } from './layout';
import { May } from './may';
import { at, DialogLink, Empty } from './parts';
import type { Session } from './session';
import { type Kind, RunErrors } from './view-run-errors';
import { count } from './words';

export interface RunPageProps {
  readonly session: Session;
  readonly supplier: SupplierDetails;
  readonly run: RunRow;
  readonly counts: ReadonlyMap<Status, number>;
  readonly totals: Reconciliation;
  readonly errors: readonly RunErrorRow[];
  readonly refusals: readonly Kind[];
  readonly notice: string | undefined;
}

const HELD = {
  importer: 'Held',
  errors: 'Held by itself: too many accounts errored',
  cancelled: 'Cancelled',
  undone: 'Taken back',
} as const;

export const runPath = (code: string, name: string, ...rest: string[]): string => at('suppliers', code, 'runs', name, ...rest);

/** Imported of what is expected: the importer's own number, or what was staged. */
const Bar: FC<Pick<RunPageProps, 'totals'>> = ({ totals: { expected, staged, imported } }) => {
  const [done, all] = [Number(imported.accounts), Number(expected.accounts ?? staged.accounts)];
  return (
    <>
      <progress value={String(done)} max={String(Math.max(all, 1))} />
      <p class="soft small">
        {count(done)} imported of {count(all)} {expected.accounts === undefined ? 'staged' : 'expected'}
      </p>
    </>
  );
};

export const RunPage: FC<RunPageProps> = ({ session, supplier, run, counts, totals, errors, refusals, notice }) => {
  const { expected, staged, imported, differences } = totals;
  const waiting = (counts.get('PENDING') ?? 0) > 0;
  return (
    <Page title={run.name} place="Overview" session={session} notice={notice}>
      <Crumbs path={[[supplier.name, at('suppliers', supplier.code)]]} />
      <h1>{run.name}</h1>
      <p class="soft">{run.heldReason === null ? 'Released' : HELD[run.heldReason]}</p>
      <div class="actions">
        <May role={session.role} needs="operate">
          {run.heldReason !== null && waiting ? <DialogLink href={runPath(supplier.code, run.name, 'release')}>Release…</DialogLink> : null}
          {run.heldReason === null ? <DialogLink href={runPath(supplier.code, run.name, 'hold')}>Hold…</DialogLink> : null}
          {waiting ? <DialogLink href={runPath(supplier.code, run.name, 'cancel')}>Cancel…</DialogLink> : null}
        </May>
        <May role={session.role} needs="administer">
          {(counts.get('PROCESSED') ?? 0) > 0 ? <DialogLink href={runPath(supplier.code, run.name, 'undo')}>Undo…</DialogLink> : null}
        </May>
        <a class="button" href={runPath(supplier.code, run.name, 'report')}>
          CSV report
        </a>
      </div>
      <section class="card">
        <div class="card-body">
          <Bar totals={totals} />
          <ul class="soft small">
            {[...counts].map(([status, accounts]) => (
              <li class="split">
                <code>{status}</code> <span class="number">{count(accounts)}</span>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <RunErrors code={supplier.code} errored={counts.get('ERRORED') ?? 0} errors={errors} refused={run.refused} refusals={refusals} />
      <section class="card">
        <div class="card-head">
          <h2>Sign-off</h2>
        </div>
        <table class="table">
          <thead>
            <tr>
              <th>Total</th>
              <th class="number">Expected</th>
              <th class="number">Staged</th>
              <th class="number">Imported</th>
            </tr>
          </thead>
          <tbody>
            {RUN_TOTALS.map((name) => (
              <tr class={differences.some(({ field }) => field === name) ? 'bad' : undefined}>
                <td>{name.replaceAll('_', ' ')}</td>
                <td class="number">{expected[name] === undefined ? '–' : shownTotal(name, expected[name])}</td>
                <td class="number">{shownTotal(name, staged[name])}</td>
                <td class="number">{shownTotal(name, imported[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div class="card-body">
          {differences.length === 0 ? (
            <p id="matches">No difference: what is imported is what was expected.</p>
          ) : (
            <p id="differs">{count(differences.length)} differences.</p>
          )}
        </div>
      </section>
    </Page>
  );
};

export const RunsPage: FC<{ session: Session; supplier: SupplierDetails; runs: readonly RunRow[]; next: string | undefined }> = ({
  session,
  supplier,
  runs,
  next,
}) => (
  <Page title="Runs" place="Overview" session={session}>
    <Crumbs path={[[supplier.name, at('suppliers', supplier.code)]]} />
    <h1>Runs</h1>
    <section class="card">
      {runs.length === 0 ? (
        <Empty title="No runs">
          <p>An importer makes one with its first delivery.</p>
        </Empty>
      ) : (
        <ul class="card-body">
          {runs.map(({ name, heldReason }) => (
            <li class="split">
              <a href={runPath(supplier.code, name)}>{name}</a>
              <span class="soft small">{heldReason === null ? 'Released' : HELD[heldReason]}</span>
            </li>
          ))}
        </ul>
      )}
      {next === undefined ? null : (
        <a class="button" href={next}>
          More
        </a>
      )}
    </section>
  </Page>
);
