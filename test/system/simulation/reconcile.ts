/**
 * What importers do with their runs when all is said and done: they compare them with what they sent, declare it, and release them.
 */
import { STATUS } from '../../../src/import-processes/machine';
import { type Stored, SUPPLIERS } from './audit';
import type { People } from './importer';
import { type RunTotals, totalsOf } from './model-runs';
import { type Payload, versionOf } from './payload';
import { ofKind } from './record';
import type { Answer } from './service';

export class Reconciling {
  readonly broken: string[] = [];
  /** Runs whose totals were compared. */
  compared = 0;

  constructor(
    private readonly people: People,
    private readonly finish: () => Promise<void>,
  ) {}

  /** Each run: what is staged and imported of it is what was sent. */
  async compare(stored: Stored): Promise<void> {
    for (const run of stored.runs) {
      const expected = this.expectedOf(stored, run.id);
      if (!expected) continue;
      this.compared++;
      const { body } = await this.ask(run, 'GET', 'reconciliation/');
      for (const kind of ['staged', 'imported'] as const) {
        const [found, wanted] = [JSON.stringify(fieldOf(body, kind)), JSON.stringify(expected[kind])];
        if (found !== wanted) this.broken.push(`run ${run.name}: ${kind} is ${found} instead of ${wanted}`);
      }
    }
  }

  /** Each run: it is released if it is what was declared, and not if one account more was; nothing paces or stops it any more. */
  async releaseAll(stored: Stored): Promise<void> {
    for (const run of stored.runs) {
      const staged = this.expectedOf(stored, run.id)?.staged;
      await this.ask(run, 'PUT', '', { pace_per_minute: 0, stop_after_errors: 0 });
      if (staged) {
        await this.ask(run, 'PUT', '', { expected: { ...staged, accounts: staged.accounts + 1 } });
        await this.releaseMatching(run, 409);
        await this.ask(run, 'PUT', '', { expected: staged });
        await this.releaseMatching(run, 200);
      } else await this.ask(run, 'POST', 'release/', {});
    }
  }

  private async releaseMatching(run: Stored['runs'][number], expected: number): Promise<void> {
    const { status } = await this.ask(run, 'POST', 'release/', { require_match: true });
    if (status !== expected) this.broken.push(`run ${run.name}: a release that must match was answered ${status}`);
  }

  /** Undefined where retention has emptied what was staged: nothing says any more which payload it was. */
  private expectedOf({ processes }: Stored, runId: number): { readonly staged: RunTotals; readonly imported: RunTotals } | undefined {
    const members = processes.filter(({ run_id, status }) => run_id === runId && status !== STATUS.CANCELLED);
    const payloads = new Map(ofKind(this.people.sent, 'create').map(({ asked: { payload } }) => [payload.version, payload]));
    const staged = members.flatMap(({ body, status }): { payload: Payload; status: number }[] => {
      const payload = payloads.get(versionOf(body));
      return payload ? [{ payload, status }] : [];
    });
    if (staged.length < members.length) return undefined;
    const imported = staged.filter(({ status }) => status === STATUS.PROCESSED);
    return { staged: totalsOf(staged.map(({ payload }) => payload)), imported: totalsOf(imported.map(({ payload }) => payload)) };
  }

  private async ask({ supplier_id, name }: Stored['runs'][number], method: string, path: string, body?: object): Promise<Answer> {
    const supplier = SUPPLIERS.find(({ id }) => id === supplier_id);
    if (!supplier) throw new Error('no such supplier');
    let answered: Answer = { status: 0, body: undefined };
    const request = { method, path: `/v2/data-import/runs/${supplier.code}/${name}/${path}`, body };
    await this.people.request(`${method} ${path} of run ${supplier.code}/${name}`, request, supplier, [], (_task, answer) => {
      if (answer) answered = answer;
    });
    await this.finish();
    if (answered.status >= 400 && answered.status !== 409)
      this.broken.push(`${method} ${path} of run ${name} was answered ${answered.status} ${JSON.stringify(answered.body)}`);
    return answered;
  }
}

const fieldOf = (body: unknown, name: string): unknown => (typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined);
