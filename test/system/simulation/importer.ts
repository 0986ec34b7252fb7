/**
 * The people of a history: importers who create accounts and add to them, and the operator. What they do next is chance.
 */
import { env } from 'cloudflare:workers';
import { readRows } from '../../support/tables';
import { type GivenSupplier, SUPPLIERS } from './audit';
import { bodyOf, FORMS, type Payload, pathsOf } from './payload';
import type { Random } from './random';
import { type Asked, ofKind, type Pair, type Sent } from './record';
import { type Answer, numberOf, type Service } from './service';
import type { Task, World } from './world';

const MINUTE = 60_000;
const DOCUMENT = 'simulated.pdf';
/** Documents that a payload of many names, each in a directory of its own: more than a lease has time for where each takes seconds. */
export const MANY_DOCUMENTS = 50;
const INSTANTS = ['2026-01-01T00:00:00Z', '2026-02-02T12:00:00Z'];

/** They never vanish: once is enough for all histories. */
let hasManyDocuments = false;

export interface Habits {
  readonly windows: boolean;
  readonly documents: boolean;
  /** Some payloads name many documents. */
  readonly manyDocuments: boolean;
  readonly operator: boolean;
  /** Keys are revoked and issued. */
  readonly keys: boolean;
  /** Payloads go as soon as they are not needed any more. */
  readonly isReduced: boolean;
  /** Fewer pairs meet more often. */
  readonly pairs: number;
}

/** A request with a token, by whomever and for whatever. Moments of the world. */
export interface Keyed {
  readonly label: string;
  readonly apiKeyId: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  /** Lines of it were FAILED that no failure explains. */
  hasFailedLines: boolean;
}

/** What the operator was answered. */
export interface Operated {
  readonly name: string;
  /** The number of its task. */
  readonly task: number;
  readonly status: number;
  readonly body: unknown;
  readonly hadFaults: boolean;
}

/** What may be answered 5xx without a failure: requests about a supplier that cannot be read, and new accounts while a restore is unfinished. */
export interface Trouble {
  readonly what: number | 'held_up';
  /** Moments of the world. */
  readonly from: number;
  to: number;
}

export class People {
  readonly sent: Sent[] = [];
  readonly keyed: Keyed[] = [];
  readonly operated: Operated[] = [];
  readonly troubles: Trouble[] = [];
  /** The keys of each organisation, the one in use last. */
  readonly keys = new Map(SUPPLIERS.map(({ organisationId, apiKeyId }) => [organisationId, [apiKeyId]]));
  readonly pairs: Pair[];
  readonly completed = new Set<number>();
  /** Suppliers that somebody tried to pause or complete. */
  readonly closed = new Set<number>();
  readonly cancelled = new Set<string>();
  documentsVanished = false;
  /** When the last window of all closes. */
  lastWindow = 0;
  /** How often each deed was answered how: shows that a history is worth its time. */
  readonly answers = new Map<string, number>();
  /** Answers that should not have been given. */
  readonly broken: string[] = [];
  /** Keys that the operator knows to be revoked. */
  readonly revoked = new Set<string>();
  private version = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly service: Service,
    readonly habits: Habits,
  ) {
    const numbers = Array.from({ length: habits.pairs }, (_, index) => `${index}`);
    this.pairs = SUPPLIERS.flatMap(({ id, code }) => numbers.map((number) => ({ supplierId: id, supplierCode: code, number })));
  }

  /** Somebody does something. */
  async act(): Promise<void> {
    const { operator, documents } = this.habits;
    const deed = this.random.weighted({
      create: 6,
      create_again: 3,
      bulk: 1.2,
      add: 6,
      status: 1,
      foreign: 0.8,
      cancel: this.habits.keys ? 2 : 0.7,
      supplier: operator ? 4 : 0,
      retry: operator ? 1.5 : 0,
      letter: operator && this.service.broker.deadLetters.length > 0 ? 3 : 0,
      retry_errored: operator ? 1 : 0,
      key: this.habits.keys ? 4 : 0,
      document: documents ? 0.5 : 0,
    });
    switch (deed) {
      case 'create':
        return this.create(this.anyPair(), this.newPayload());
      case 'create_again':
        return this.createAgain();
      case 'bulk':
        return this.bulk();
      case 'add':
        return this.add();
      case 'status':
        return this.ask(this.anyPair(), { kind: 'status' });
      case 'foreign':
        return this.trespass();
      case 'cancel':
        return this.cancel(this.anyPair());
      case 'supplier':
        return this.changeSupplier(this.random.pick(SUPPLIERS), this.random.weighted({ Ongoing: 3, Paused: 4, Complete: 0.7 }));
      case 'retry':
        return this.twice(() => this.retry(this.anyPair()));
      case 'letter':
        return this.letter();
      case 'retry_errored':
        return this.twice(() => this.retryErrored(this.random.pick(SUPPLIERS)));
      case 'key':
        return this.changeKey(this.random.pick(SUPPLIERS));
      case 'document':
        this.documentsVanished = true;
        this.world.log('the document vanishes');
        await env.DOCUMENTS.delete(DOCUMENT);
    }
  }

  /** One account, for histories that are not left to chance. */
  create(pair: Pair, payload: Payload): Promise<void> {
    return this.ask(pair, { kind: 'create', payload });
  }

  newPayload(plain = false): Payload {
    const { random, habits } = this;
    const version = ++this.version;
    const isWindowed = !plain && habits.windows && random.chance(0.35);
    const windowStart = isWindowed && random.chance(0.7) ? this.world.now + random.below(6 * MINUTE) : undefined;
    const windowEnd = isWindowed && random.chance(0.6) ? (windowStart ?? this.world.now) + 1 + random.below(8 * MINUTE) : undefined;
    this.lastWindow = Math.max(this.lastWindow, windowStart ?? 0, windowEnd ?? 0);
    const document = !plain && habits.documents && random.chance(0.4) ? DOCUMENT : undefined;
    const documents = !plain && habits.manyDocuments && random.chance(0.4) ? MANY_DOCUMENTS : 0;
    const [isDryRun, isRich] = [!plain && random.chance(0.2), plain || documents > 0 || random.chance(0.4)];
    return { version, isDryRun, isRich, document, documents, windowStart, windowEnd, form: 'plain' };
  }

  /** The operator lets a supplier go on. */
  async open(supplier: GivenSupplier): Promise<void> {
    return this.changeSupplier(supplier, 'Ongoing');
  }

  async prepare(): Promise<void> {
    if (this.habits.documents) await Promise.all(SUPPLIERS.map(({ code }) => env.DOCUMENTS.put(`${code}/${DOCUMENT}`, '%PDF-1.4')));
    if (!this.habits.manyDocuments || hasManyDocuments) return;
    hasManyDocuments = true;
    const paths = pathsOf(MANY_DOCUMENTS);
    await Promise.all(SUPPLIERS.flatMap(({ code }) => paths.map((path) => env.DOCUMENTS.put(`${code}/${path}`, '%PDF-1.4'))));
  }

  private count(deed: string, answer: { readonly status: number } | undefined): void {
    const key = `${deed} ${answer?.status ?? 'unanswered'}`;
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
  }

  private anyPair(): Pair {
    // Most of what happens happens to one supplier, so that it meets.
    const own = this.random.chance(0.7) ? this.pairs.filter(({ supplierId }) => supplierId === 1) : this.pairs;
    return this.random.pick(own);
  }

  private createAgain(): Promise<void> {
    const earlier = this.sent.filter((one) => one.asked.kind === 'create');
    if (earlier.length === 0) return this.create(this.anyPair(), this.newPayload());
    const { pair, asked } = this.random.pick(earlier);
    return this.ask(pair, asked.kind === 'create' ? { kind: 'create', payload: this.inSomeForm(asked.payload) } : asked);
  }

  private inSomeForm(payload: Payload): Payload {
    return { ...payload, form: this.random.pick(FORMS) };
  }

  private add(): Promise<void> {
    const { random, service } = this;
    // Most who add know what was imported; some do not.
    const imported = this.sent.filter(
      ({ asked, status, endedAt }) => asked.kind === 'create' && status === 201 && endedAt < service.deliveredAt,
    );
    if (imported.length === 0 && random.chance(0.8)) return this.createAgain();
    const pair = imported.length > 0 && random.chance(0.9) ? random.pick(imported).pair : this.anyPair();
    const kind = random.weighted({ notes: 3, transactions: 3, statements: 2, instruction: 1.5 });
    if (kind !== 'instruction' && random.chance(0.25))
      return this.addTogether(
        kind,
        imported.map((one) => one.pair),
      );
    return this.ask(pair, this.newAddition(kind));
  }

  /** `isChecked` where nothing is to be added blindly. */
  private newAddition(kind: keyof typeof ADDED_IN_BULK | 'instruction', isChecked = false): Asked {
    const { random } = this;
    const few = <T>(make: () => T): T[] => Array.from({ length: 1 + random.below(2) }, make);
    switch (kind) {
      case 'notes': {
        const notes = few(() => ({ body: `n${random.below(3)}`, ...(random.chance(0.4) ? { created_at: random.pick(INSTANTS) } : {}) }));
        return { kind: 'notes', notes };
      }
      case 'transactions': {
        const first = random.below(4);
        const transactions = few(() => 0).map((_, index) => ({
          transaction_id: `t${(first + index) % 4}`,
          amountMinor: ++this.version,
        }));
        return { kind: 'transactions', isChecked: isChecked || random.chance(0.75), transactions };
      }
      case 'statements': {
        const first = random.below(3);
        const statements = few(() => 0).map((_, index) => ({ statement_id: `s${(first + index) % 3}`, number: `${random.below(2)}` }));
        return { kind: 'statements', statements };
      }
      case 'instruction': {
        const [type, reference] = random.pick([
          ['CARD', 'sandbox-card'],
          ['CARD', 'sandbox-card-2'],
          ['DIRECT_DEBIT', 'sandbox-direct-debit'],
        ] as const);
        return { kind: 'instruction', type, reference };
      }
    }
  }

  private async ask(pair: Pair, asked: Asked): Promise<void> {
    const supplier = SUPPLIERS.find(({ id }) => id === pair.supplierId);
    if (!supplier) throw new Error('no such supplier');
    const sent = this.remember(pair, asked);
    const { method = 'POST', path, body } = requestOf(pair, asked);
    await this.request(labelOf(pair, asked), { method, path, body }, supplier, [pair], (task, answer) => {
      sent.endedAt = this.world.moment;
      sent.status = answer?.status;
      sent.body = answer?.body;
      sent.hadFaults = task.faults > 0;
      sent.isUnderWay = task.isUnderWay;
      this.count(asked.kind, answer);
      this.world.log(`${task.name} -> ${answer ? `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 160)}` : 'nothing'}`);
    });
  }

  /** Sends a request with the token of a key of the supplier's organisation: mostly of the one in use, sometimes of an older one. */
  private async request(
    name: string,
    request: Parameters<Service['request']>[1],
    { organisationId }: GivenSupplier,
    about: readonly Pair[],
    whenAnswered: (task: Task, answer: Answer | undefined) => void,
  ): Promise<void> {
    const keys = this.keys.get(organisationId) ?? [];
    const isOld = keys.length > 1 && this.random.chance(0.35);
    const apiKeyId = isOld ? this.random.pick(keys) : (keys.at(-1) ?? '');
    const startedAt = this.world.moment + 1;
    await this.service.request(name, request, { role: 'importer', organisationId, apiKeyId }, (task, answer) => {
      const keyed = { label: task.name, apiKeyId, startedAt, endedAt: this.world.moment, hasFailedLines: false };
      if (answer) this.keyed.push({ ...keyed, status: answer.status });
      if (answer && answer.status >= 500 && !this.mayFail(task, answer, about))
        this.broken.push(`${task.name} was answered ${answer.status} for no reason`);
      whenAnswered(task, answer);
    });
  }

  private mayFail(task: Task, { status }: Answer, about: readonly Pair[]): boolean {
    const isIn = ({ what, to }: Trouble): boolean =>
      to >= task.startedAt && (what === 'held_up' ? status === 503 : about.some(({ supplierId }) => supplierId === what));
    return task.faults > 0 || this.troubles.some(isIn);
  }

  /** What they do, some do twice, or two do at once. */
  private async twice(deed: () => Promise<void>): Promise<void> {
    await deed();
    if (this.random.chance(0.3)) await deed();
  }

  private remember(pair: Pair, asked: Asked, line?: Sent['line']): Sent {
    const startedAt = this.world.moment + 1;
    const sent: Sent = {
      pair,
      asked,
      startedAt,
      endedAt: Number.POSITIVE_INFINITY,
      status: undefined,
      body: undefined,
      line,
      hadFaults: false,
      isUnderWay: false,
    };
    this.sent.push(sent);
    return sent;
  }

  /** Many creates in one request, of pairs that may come twice. */
  private bulk(): Promise<void> {
    const own = this.pairs.filter(({ supplierId }) => supplierId <= 2);
    const creates = Array.from({ length: 2 + this.random.below(4) }, () => {
      const earlier = this.random.chance(0.3) ? ofKind(this.sent, 'create').filter(({ pair }) => own.includes(pair)) : [];
      const pair = earlier.length > 0 ? this.random.pick(earlier).pair : this.random.pick(own);
      const again = earlier.find((one) => one.pair === pair)?.asked.payload;
      return { pair, payload: again ? this.inSomeForm(again) : this.newPayload() };
    });
    return this.createTogether(creates);
  }

  /** Accounts of the first organisation in one request. */
  createTogether(creates: readonly { readonly pair: Pair; readonly payload: Payload }[]): Promise<void> {
    const all = creates.map(({ pair, payload }) => ({ pair, asked: { kind: 'create', payload } as const }));
    const bodies = creates.map(({ pair, payload }) => bodyOf(payload, pair.supplierCode, pair.number));
    return this.together('/v2/data-import/accounts/bulk/', all, bodies, createAnswerOf);
  }

  /** Many additions of one kind, to accounts of the first organisation, in one request. */
  private addTogether(kind: keyof typeof ADDED_IN_BULK, imported: readonly Pair[]): Promise<void> {
    const among = [...imported, this.anyPair()].filter(({ supplierId }) => supplierId <= 2);
    const own = among.length > 0 ? among : this.pairs.filter(({ supplierId }) => supplierId <= 2);
    const all = Array.from({ length: 2 + this.random.below(4) }, () => ({
      pair: this.random.pick(own),
      asked: this.newAddition(kind, true),
    }));
    const bodies = all.map(({ pair, asked }) => requestOf(pair, asked).body);
    return this.together(ADDED_IN_BULK[kind], all, bodies, ({ status, body }: Answer & { readonly line: number }) => ({ status, body }));
  }

  /** Several requests as the lines of one, to the first organisation; `answerOf` says what a single one would have been answered. */
  private async together<Line extends { readonly line: number }>(
    path: string,
    all: readonly { readonly pair: Pair; readonly asked: Asked }[],
    lines: readonly unknown[],
    answerOf: (line: Line) => Answer | undefined,
  ): Promise<void> {
    const [supplier] = SUPPLIERS;
    if (!supplier) return;
    const request = ++this.version;
    const sent = all.map(({ pair, asked }, number) => this.remember(pair, asked, { request, number }));
    const name = `bulk ${all.map(({ pair, asked }) => labelOf(pair, asked)).join(' and ')}`;
    const about = all.map(({ pair }) => pair);
    await this.request(name, { method: 'POST', path, lines }, supplier, about, (task, answer) => {
      const results = new Map<number, Line>(
        answer?.status === 200 && Array.isArray(answer.body) ? answer.body.map((result) => [result.line, result]) : [],
      );
      this.world.log(`${task.name} -> ${answer ? `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}` : 'nothing'}`);
      sent.forEach((one, index) => {
        const result = results.get(index + 1);
        const answered = answer?.status === 200 ? result && answerOf(result) : answer;
        one.endedAt = this.world.moment;
        one.status = answered?.status;
        one.body = answered?.body;
        one.hadFaults = task.faults > 0;
        one.isUnderWay = task.isUnderWay;
        this.count(one.asked.kind === 'create' ? 'bulk line' : `bulk ${one.asked.kind}`, answered);
        const status = answered?.status ?? 500;
        if (answer?.status !== 200 || (status < 500 && status !== 401)) return;
        const keyed = this.keyed.at(-1);
        if (keyed && !this.mayFail(task, { status: 503, body: undefined }, [one.pair])) keyed.hasFailedLines = true;
      });
    });
  }

  /** An organisation asks about another one's supplier: it is answered as about one that does not exist. */
  private async trespass(): Promise<void> {
    const [thief, victim] = this.random.pick([
      [SUPPLIERS[0], SUPPLIERS[2]],
      [SUPPLIERS[2], SUPPLIERS[0]],
    ]);
    if (!thief || !victim) return;
    const pair = { supplierId: victim.id, supplierCode: victim.code, number: '0' };
    const asked: Asked = this.random.pick<Asked>([
      { kind: 'create', payload: this.newPayload(true) },
      { kind: 'notes', notes: [{ body: 'stolen' }] },
      { kind: 'transactions', isChecked: true, transactions: [{ transaction_id: 'stolen', amountMinor: 1 }] },
      { kind: 'statements', statements: [{ statement_id: 'stolen', number: '1' }] },
      { kind: 'instruction', type: 'CARD', reference: 'sandbox-card' },
      { kind: 'status' },
    ]);
    const list = `/v1/data-import/all-account-import-processes/${victim.code}/`;
    const {
      method = 'POST',
      path,
      body,
    } = asked.kind === 'status'
      ? this.random.pick([
          requestOf(pair, asked),
          { ...statusOf(pair), method: 'DELETE' },
          { method: 'GET', path: list },
          { method: 'GET', path: `/v1/data-import/account-transfer-status/${victim.code}/0/` },
        ])
      : requestOf(pair, asked);
    await this.request(`theft: ${labelOf(pair, asked)}`, { method, path, body }, thief, [], (task, answer) => {
      this.count('foreign', answer);
      const refused = asked.kind === 'create' ? 400 : 404;
      if (answer && answer.status !== refused && answer.status !== 401 && answer.status < 500)
        this.broken.push(`${task.name} was answered ${answer.status}`);
    });
  }

  /** The importer takes back what has not started. */
  async cancel(pair: Pair): Promise<void> {
    const supplier = SUPPLIERS.find(({ id }) => id === pair.supplierId);
    if (!supplier) return;
    this.cancelled.add(`${pair.supplierId}/${pair.number}`);
    const name = `cancel ${pair.supplierCode}/${pair.number}`;
    await this.request(name, { ...statusOf(pair), method: 'DELETE' }, supplier, [pair], (_task, answer) => this.count('cancel', answer));
  }

  /** Another organisation tries to take it back: it is answered as about one that does not exist. */
  async cancelAsAnother(pair: Pair): Promise<void> {
    const [own, thief] = [SUPPLIERS.find(({ id }) => id === pair.supplierId), SUPPLIERS.at(-1)];
    if (!thief || thief.organisationId === own?.organisationId) return;
    await this.request('theft: cancel', { ...statusOf(pair), method: 'DELETE' }, thief, [], (task, answer) => {
      if (answer && answer.status !== 404 && answer.status < 500) this.broken.push(`${task.name} was answered ${answer.status}`);
    });
  }

  /** The operator starts an errored import again. */
  async retry(pair: Pair): Promise<void> {
    const path = `/operator/v1/suppliers/${pair.supplierCode}/import-processes/${pair.number}/retry/`;
    await this.operate(`retry ${pair.supplierCode}/${pair.number}`, 'POST', path, {}, () => {});
  }

  async changeSupplier({ id, code }: GivenSupplier, status: 'Ongoing' | 'Paused' | 'Complete'): Promise<void> {
    if (status !== 'Ongoing') this.closed.add(id);
    if (status === 'Complete') this.completed.add(id);
    const configuration = this.random.chance(0.2) ? { configuration: { send_customer_emails: this.random.chance(0.5) } } : {};
    const body = { status, reason: 'because', ...configuration };
    await this.operate(`make ${code} ${status}`, 'PATCH', `/operator/v1/suppliers/${code}/`, body, (answer) => {
      if (answer.status === 401) this.broken.push('the operator was refused');
    });
  }

  /** Sends again what a dead letter named, or puts it away; two may do so at once. */
  private async letter(): Promise<void> {
    const { id } = this.random.pick(this.service.broker.deadLetters);
    const deed = this.random.weighted({ redrive: 4, dismiss: 0.5 });
    await this.twice(() => this.redrive(id, deed));
  }

  redrive(id: string, deed: 'redrive' | 'dismiss' = 'redrive'): Promise<void> {
    return this.operate(`${deed} ${id}`, 'POST', `/operator/v1/dead-letters/${id}/${deed}/`, {}, () => {});
  }

  async retryErrored(
    { code }: GivenSupplier,
    error_code = this.random.pick(['account_import_process_failed', 'import_process_failed_validation']),
  ): Promise<void> {
    await this.operate(`retry-errored ${code}`, 'POST', `/operator/v1/suppliers/${code}/retry-errored/`, { error_code }, () => {});
  }

  /** The key in use is revoked; the next time another one is issued. */
  async changeKey({ organisationId }: GivenSupplier): Promise<void> {
    const keys = this.keys.get(organisationId) ?? [];
    const current = keys.at(-1) ?? '';
    if (this.revoked.has(current)) return this.issueKey(organisationId);
    await this.operate(`revoke ${current}`, 'DELETE', `/operator/v1/api-keys/${current}/`, undefined, (answer) => {
      // An earlier try whose answer was lost has done it.
      if (answer.status === 204 || answer.status === 404) this.revoked.add(current);
    });
  }

  async issueKey(organisationId: string): Promise<void> {
    const path = `/operator/v1/organisations/${organisationId}/api-keys/`;
    await this.operate(`issue ${organisationId}`, 'POST', path, { label: 'next' }, ({ status, body }) => {
      const id: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'id') : undefined;
      if (status === 201 && typeof id === 'string') this.keys.get(organisationId)?.push(id);
    });
  }

  /** After a restore: keys are in force as the database says, and those it does not know are no more. */
  async forget(): Promise<void> {
    const results = await readRows<{ id: string }>('SELECT id FROM api_keys WHERE revoked_at IS NULL');
    const inForce = new Set(results.map(({ id }) => id));
    for (const id of [...this.keys.values()].flat()) {
      if (inForce.has(id)) this.revoked.delete(id);
      else this.revoked.add(id);
    }
  }

  /** The operator says that a restore is done; `onEnd` learns whether it is. */
  async finishRestore(restoredTo: number, lastId: number | undefined, onEnd: (isFinished: boolean) => void): Promise<void> {
    const body = { restored_to: new Date(restoredTo).toISOString(), ...(lastId === undefined ? {} : { last_id: lastId }) };
    await this.operate('finish the restore', 'POST', '/operator/v1/restores/', body, ({ status }) =>
      onEnd(status === 200 || status === 409),
    );
  }

  private async operate(name: string, method: string, path: string, body: unknown, onAnswer: (answer: Answer) => void): Promise<void> {
    await this.service.request(name, { method, path, body }, { role: 'operator' }, (task, answer) => {
      this.world.log(`${task.name} -> ${answer?.status}`);
      this.count(name.replace(/ (?:[A-Z]+\/\d+|m\d+|key_\S+|org_\S+)$|[A-Z]{3,} /, ''), answer);
      if (!answer) return;
      this.operated.push({ name, task: numberOf(task), ...answer, hadFaults: task.faults > 0 });
      onAnswer(answer);
      if (answer.status >= 500 && task.faults === 0) this.broken.push(`${task.name} was answered ${answer.status} for no reason`);
    });
  }
}

const ADDED_IN_BULK = {
  notes: '/v1/data-import/notes/bulk/',
  transactions: '/v1/data-import/transactions/bulk/',
  statements: '/v1/data-import/historical-statements/bulk/',
} as const;

/** What a single create would have been answered. */
function createAnswerOf(result: { readonly line: number; readonly status: string; readonly account_id?: string }): Answer {
  switch (result.status) {
    case 'SCHEDULED':
      return { status: 201, body: {} };
    case 'ALREADY_IMPORTED':
      return { status: 400, body: { code: 'account_import_process_already_imported', account_id: result.account_id } };
    case 'IN_PROGRESS':
      return { status: 400, body: { code: 'account_import_process_in_progress' } };
    case 'INVALID':
      return { status: 400, body: { code: 'import_process_failed_validation' } };
    default:
      return { status: 500, body: result };
  }
}

const statusOf = ({ supplierCode, number }: Pair) => ({ method: 'GET', path: `/v2/data-import/accounts/${supplierCode}/${number}/` });

const labelOf = (pair: Pair, asked: Asked): string =>
  `${asked.kind} ${pair.supplierCode}/${pair.number} ${JSON.stringify(asked.kind === 'create' ? asked.payload : asked).replace(/^\{"kind":"\w+",?/, '{')}`;

function requestOf(pair: Pair, asked: Asked): { readonly method?: string; readonly path: string; readonly body?: unknown } {
  const identified = { import_supplier: pair.supplierCode, external_account_number: pair.number };
  switch (asked.kind) {
    case 'create':
      return { path: '/v2/data-import/accounts/', body: bodyOf(asked.payload, pair.supplierCode, pair.number) };
    case 'notes':
      return { path: '/v1/data-import/notes/create/', body: { ...identified, notes: asked.notes } };
    case 'transactions': {
      const transactions = asked.transactions.map(({ transaction_id, amountMinor }) => ({
        transaction_id,
        transaction_date: '2026-03-03',
        amount: amountMinor / 100,
        type: 'CREDIT',
        reason: 'GENERAL_CREDIT',
      }));
      const query = asked.isChecked ? '' : '?check_previously_added=false';
      return { path: `/v1/data-import/transactions/create/${query}`, body: { ...identified, transactions } };
    }
    case 'statements': {
      const statements = asked.statements.map((one) => ({
        ...one,
        bill_period_from_date: '2026-02-01',
        bill_period_to_date: '2026-02-28',
      }));
      return { path: '/v1/data-import/historical-statements/create/', body: { ...identified, statements } };
    }
    case 'instruction':
      return {
        path: '/v1/data-import/payment-instruction/create/',
        body: { ...identified, vendor: 'SANDBOX', type: asked.type, reference: asked.reference },
      };
    case 'status':
      return statusOf(pair);
  }
}
