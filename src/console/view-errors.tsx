import type { Child, FC } from 'hono/jsx';
import type { ErrorGroup, ErrorGroups, SupplierDetails } from '../operator';
import { May } from './may';
import { at, DialogLink, Empty } from './parts';
import type { Session } from './session';
import { count, errorWords, pollForErrors } from './words';

const Group: FC<{ code: string; href: string; group: ErrorGroup; children?: Child }> = ({ code, href, group, children }) => (
  <div>
    <div class="split">
      <a id={`error-${group.code}${group.attr ? `-${group.attr}` : ''}`} class="mono" href={href}>
        {group.attr ? `${group.code} at ${group.attr}` : group.code}
      </a>
      <span class="count">{count(group.count)}</span>
    </div>
    <p class="soft small">
      {group.attr ? null : `${errorWords(group.code).what} `}
      {group.examples.map((number, i) => (
        <>
          {i > 0 ? ', ' : 'Newest: '}
          <a href={at('suppliers', code, 'processes', number)}>{number}</a>
        </>
      ))}
    </p>
    {children}
  </div>
);

/** Errors of a supplier by code, and by code and place of a field, each with a link to its accounts and examples. */
export const Errors: FC<{ session: Session; supplier: SupplierDetails; errors: ErrorGroups }> = ({
  session,
  supplier,
  errors: { codes, fields },
}) => {
  const { code } = supplier;
  const list = `${at('suppliers', code, 'processes')}?status=ERRORED`;
  return (
    <section
      class="card"
      id="errors"
      data-live
      aria-labelledby="errors-title"
      hx-get={at('suppliers', code)}
      hx-trigger={pollForErrors(supplier.counts.ERRORED)}
      hx-select="#errors"
      hx-swap="outerHTML"
    >
      <div class="card-head">
        <h2 id="errors-title">Errors</h2>
        {codes.length > 0 ? (
          <a class="small" href={`${at('suppliers', code, 'export')}?status=ERRORED`} download>
            Download CSV
          </a>
        ) : null}
      </div>
      {codes.length === 0 ? (
        <Empty title="No account is errored">
          <p>Accounts that cannot be created gather here by the code of their error.</p>
        </Empty>
      ) : (
        <div class="card-body stack">
          {codes.map((group) => (
            <Group code={code} group={group} href={`${list}&error_code=${encodeURIComponent(group.code)}`}>
              {supplier.status === 'Complete' ? null : (
                <May role={session.role} needs="operate">
                  <DialogLink
                    id={`retry-${group.code}`}
                    class="button small"
                    href={`${at('suppliers', code, 'retry-errored')}?error_code=${encodeURIComponent(group.code)}`}
                  >
                    {group.count === 1 ? 'Retry…' : 'Retry all…'}
                  </DialogLink>
                </May>
              )}
            </Group>
          ))}
          {fields.length > 0 ? <h3>Fields that did not hold</h3> : null}
          {fields.map((group) => (
            <Group
              code={code}
              group={group}
              href={`${list}&field_code=${encodeURIComponent(group.code)}&attr=${encodeURIComponent(group.attr ?? '')}`}
            />
          ))}
        </div>
      )}
    </section>
  );
};
