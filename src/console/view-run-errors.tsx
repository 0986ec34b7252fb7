import type { FC } from 'hono/jsx';
import { OTHERS } from '../refusals';
import type { RunErrorRow } from '../runs';
import { at } from './parts';
import { count, plural } from './words';

export interface Kind {
  readonly code: string;
  readonly attr: string;
  readonly accounts: number;
}

const Kinds: FC<{ kinds: readonly Kind[] }> = ({ kinds }) => (
  <ul class="card-body">
    {kinds.map(({ code, attr, accounts }) => (
      <li class="split">
        <span>
          <code>{code === OTHERS ? 'other errors' : code}</code> <span class="soft small mono">{attr}</span>
        </span>
        <span class="number">{count(accounts)}</span>
      </li>
    ))}
  </ul>
);

export interface RunErrorsProps {
  readonly code: string;
  readonly errored: number;
  readonly errors: readonly RunErrorRow[];
  readonly refused: number;
  readonly refusals: readonly Kind[];
}

/** What of a run errored, and what creates that named it were refused for, by code and place. */
export const RunErrors: FC<RunErrorsProps> = ({ code, errored, errors, refused, refusals }) => (
  <>
    {errored > 0 ? (
      <section class="card" id="run-errors">
        <div class="card-head">
          <h2>Errored</h2>
          <a class="small" href={`${at('suppliers', code, 'processes')}?status=ERRORED`}>
            {plural(errored, 'account')}
          </a>
        </div>
        <Kinds kinds={errors} />
      </section>
    ) : null}
    {refused > 0 ? (
      <section class="card" id="run-refusals">
        <div class="card-head">
          <h2>Refused</h2>
          <a class="small" href={at('suppliers', code, 'refusals')}>
            {plural(refused, 'create')}
          </a>
        </div>
        <Kinds kinds={refusals} />
      </section>
    ) : null}
  </>
);
