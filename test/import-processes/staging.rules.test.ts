import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATUSES, type Status } from '../../src/import-processes/machine';
import { decideCreates, type Payload, type ProcessState } from '../../src/import-processes/stage/rules';

/** A payload; `form` distinguishes its text from others of the same account. */
const payload = (account: string, isDryRun = false, form = ''): Payload => ({
  payloadHash: `${account} ${isDryRun} ${form}`,
  isDryRun,
  body: `${account} ${isDryRun}|${form}`,
});
const isSame = (stored: string, sent: string): boolean => stored.split('|')[0] === sent.split('|')[0];

const process = (status: Status, { payloadHash, isDryRun, body }: Payload = payload('old'), isRead = true): ProcessState => ({
  status,
  payloadHash,
  isDryRun,
  accountNumber: status === 'PROCESSED' ? 'A-0' : null,
  body: isRead ? body : undefined,
});

const decided = (before: ProcessState | undefined, ...creates: (Payload | undefined)[]) => {
  const { answers, winner } = decideCreates(before, creates, isSame);
  return [...answers.map(({ kind }) => kind), winner?.body];
};

const [OLD, NEW, OLD_DRY, NEW_DRY] = [payload('old'), payload('new'), payload('old', true), payload('new', true)];
const AGAIN = ['ERRORED', 'CANCELLED', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED'] as const;

describe('one create', () => {
  it.each<[string, ProcessState | undefined, Payload | undefined, string, Payload | undefined]>([
    ['no process', undefined, NEW, 'scheduled', NEW],
    ['no process, a dry run', undefined, NEW_DRY, 'scheduled', NEW_DRY],
    ['no process, refused', undefined, undefined, 'refused', undefined],
    ['PENDING, the same', process('PENDING'), OLD, 'scheduled', undefined],
    ['PENDING, another', process('PENDING'), NEW, 'scheduled', NEW],
    ['PENDING, the same in another form', process('PENDING'), payload('old', false, 'form'), 'scheduled', payload('old', false, 'form')],
    ['PENDING, a dry run', process('PENDING'), NEW_DRY, 'in_progress', undefined],
    ['PENDING, a dry run of the same', process('PENDING'), OLD_DRY, 'in_progress', undefined],
    ['PENDING dry run, the same', process('PENDING', OLD_DRY), OLD_DRY, 'scheduled', undefined],
    ['PENDING dry run, another dry run', process('PENDING', OLD_DRY), NEW_DRY, 'scheduled', NEW_DRY],
    ['PENDING dry run, a real import', process('PENDING', OLD_DRY), OLD, 'scheduled', OLD],
    ['PENDING, refused', process('PENDING'), undefined, 'refused', undefined],
    ['IN_PROGRESS, the same', process('IN_PROGRESS'), OLD, 'scheduled', undefined],
    ['IN_PROGRESS, the same, body not read', process('IN_PROGRESS', OLD, false), OLD, 'scheduled', undefined],
    ['IN_PROGRESS, the same in another form', process('IN_PROGRESS'), payload('old', false, 'form'), 'scheduled', undefined],
    ['IN_PROGRESS, another', process('IN_PROGRESS'), NEW, 'in_progress', undefined],
    ['IN_PROGRESS, another, body not read', process('IN_PROGRESS', OLD, false), NEW, 'needs_body', undefined],
    ['IN_PROGRESS, a dry run of the same', process('IN_PROGRESS'), OLD_DRY, 'in_progress', undefined],
    ['IN_PROGRESS, refused', process('IN_PROGRESS', OLD, false), undefined, 'refused', undefined],
    ['PROCESSED, the same', process('PROCESSED'), OLD, 'already_imported', undefined],
    ['PROCESSED, another', process('PROCESSED'), NEW, 'already_imported', undefined],
    ['PROCESSED, a dry run', process('PROCESSED'), NEW_DRY, 'already_imported', undefined],
    ['PROCESSED, refused', process('PROCESSED'), undefined, 'already_imported', undefined],
    ...AGAIN.flatMap((status): [string, ProcessState, Payload | undefined, string, Payload | undefined][] => [
      [`${status}, the same`, process(status), OLD, 'scheduled', OLD],
      [`${status}, another`, process(status), NEW, 'scheduled', NEW],
      [`${status}, a dry run`, process(status), NEW_DRY, 'scheduled', NEW_DRY],
      [`${status}, refused`, process(status), undefined, 'refused', undefined],
    ]),
  ])('%s', (_, before, create, answer, winner) => {
    expect(decided(before, create)).toEqual([answer, winner?.body]);
  });

  it('of an account that is imported is answered with its number', () => {
    expect(decideCreates(process('PROCESSED'), [NEW], isSame).answers).toEqual([{ kind: 'already_imported', accountNumber: 'A-0' }]);
  });
});

describe('creates that follow each other', () => {
  it.each<[string, ProcessState | undefined, (Payload | undefined)[], (string | undefined)[]]>([
    ['the last payload wins', undefined, [OLD, NEW], ['scheduled', 'scheduled', NEW.body]],
    ['a dry run after a real import is refused', undefined, [NEW, OLD_DRY], ['scheduled', 'in_progress', NEW.body]],
    ['a real import after a dry run wins', undefined, [OLD_DRY, NEW], ['scheduled', 'scheduled', NEW.body]],
    [
      '… and a dry run after that is refused',
      process('ERRORED'),
      [OLD_DRY, NEW, OLD_DRY],
      ['scheduled', 'scheduled', 'in_progress', NEW.body],
    ],
    ['there and back again is no change', process('PENDING'), [NEW, OLD], ['scheduled', 'scheduled', undefined]],
    ['… but schedules what had ended', process('CANCELLED'), [NEW, OLD], ['scheduled', 'scheduled', OLD.body]],
    [
      'the answer to a refused one depends on none of them',
      undefined,
      [NEW, undefined, OLD],
      ['scheduled', 'refused', 'scheduled', OLD.body],
    ],
    ['nothing moves an import that runs', process('IN_PROGRESS'), [OLD, NEW, OLD], ['scheduled', 'in_progress', 'scheduled', undefined]],
  ])('%s', (_, before, creates, expected) => {
    expect(decided(before, ...creates)).toEqual(expected);
  });

  /** What the table of creates says, line by line, in as few words as it takes. */
  function oneAfterTheOther(before: ProcessState | undefined, creates: readonly (Payload | undefined)[]) {
    let now = before;
    const answers = creates.map((create) => {
      const pending = now?.status === 'PENDING';
      const running = now?.status === 'IN_PROGRESS';
      if (now?.status === 'PROCESSED') return 'already_imported';
      if (create === undefined) return 'refused';
      if ((pending || running) && now?.payloadHash === create.payloadHash) return 'scheduled';
      if (running) return isSame(now?.body ?? '', create.body) ? 'scheduled' : 'in_progress';
      if (pending && now?.isDryRun === false && create.isDryRun) return 'in_progress';
      now = process('PENDING', create);
      return 'scheduled';
    });
    return { answers, now };
  }

  const aPayload = fc
    .tuple(fc.constantFrom('old', 'new', 'other'), fc.boolean(), fc.constantFrom('', 'form'))
    .map(([account, isDryRun, form]) => payload(account, isDryRun, form));
  const before = fc.option(
    fc.tuple(fc.constantFrom(...STATUSES), aPayload).map(([status, stored]) => process(status, stored)),
    { nil: undefined },
  );
  const creates = fc.array(fc.option(aPayload, { nil: undefined }), { maxLength: 12 });

  it('are answered as the table says for each that follows the earlier ones, and leave what the last of them leaves', () => {
    fc.assert(
      fc.property(before, creates, (state, lines) => {
        const expected = oneAfterTheOther(state, lines);
        const { answers, winner } = decideCreates(state, lines, isSame);
        expect(answers.map(({ kind }) => kind)).toEqual(expected.answers);
        expect([winner?.payloadHash ?? state?.payloadHash, winner?.isDryRun ?? state?.isDryRun]).toEqual([
          expected.now?.payloadHash,
          expected.now?.isDryRun,
        ]);
        // Something is stored exactly if the process is no longer what it was.
        const isChanged = expected.now?.status !== state?.status || expected.now?.payloadHash !== state?.payloadHash;
        expect(winner !== undefined).toBe(isChanged);
      }),
      { numRuns: 2_000 },
    );
  });

  it('may be cut anywhere: what follows is decided by what the first part left', () => {
    fc.assert(
      fc.property(before, creates, creates, (state, first, then) => {
        const whole = decideCreates(state, [...first, ...then], isSame);
        const one = decideCreates(state, first, isSame);
        const two = decideCreates(one.winner ? process('PENDING', one.winner) : state, then, isSame);
        expect(whole.answers).toEqual([...one.answers, ...two.answers]);
      }),
      { numRuns: 2_000 },
    );
  });
});
