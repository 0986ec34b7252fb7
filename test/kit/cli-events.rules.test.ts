/** What `data-import events` prints of each event. */
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/kit/cli/events';
import type { ImportEvent } from '../../src/kit/client';

const ACCOUNT = { external_account_number: 'ACC-1', platform_account_number: 'A-0BADCAFE' };

/** Its data, and the words for it. */
const SHOWN: { readonly [Type in ImportEvent['type']]: readonly [data: Extract<ImportEvent, { type: Type }>['data'], words: string] } = {
  'account_imports.finished': [
    {
      imports: [
        { ...ACCOUNT, status: 'PROCESSED' },
        { external_account_number: 'ACC-2', status: 'ERRORED', code: 'account_import_process_failed' },
        { ...ACCOUNT, external_account_number: 'ACC-3', status: 'PROCESSED' },
      ],
    },
    '2 PROCESSED, 1 ERRORED account_import_process_failed',
  ],
  'account_imports.cancelled': [{ reason: 'run', imports: [{ external_account_number: 'ACC-1' }] }, '1 CANCELLED: run'],
  'account_imports.undone': [{ imports: [ACCOUNT] }, '1 taken back'],
  'notes.added': [{ ...ACCOUNT, count: 2 }, '2 ACC-1'],
  'transactions.added': [{ ...ACCOUNT, count: 2 }, '2 ACC-1'],
  'statements.added': [{ ...ACCOUNT, count: 2 }, '2 ACC-1'],
  'payment_instruction.added': [{ ...ACCOUNT, count: 1 }, '1 ACC-1'],
  'payment_instruction.ended': [{ ...ACCOUNT, count: 1 }, '1 ACC-1'],
  'account.erased': [ACCOUNT, 'ACC-1'],
  'import_supplier.changed': [{ status: 'Paused' }, 'Paused'],
  'run.held': [{ run: 'wave-1', held_by: 'errors', errors: 20 }, 'wave-1 by errors'],
  'run.released': [{ run: 'wave-1', released: 'some' }, 'wave-1 some'],
  'run.finished': [{ run: 'wave-1', counts: { PENDING: 0, PROCESSED: 9, ERRORED: 1 } }, 'wave-1 9 PROCESSED, 1 ERRORED'],
  'run.cancelled': [{ run: 'wave-1', count: 3 }, '3 wave-1'],
  'run.undone': [{ run: 'wave-1', count: 3 }, '3 wave-1'],
};

const occurred_at = '2026-01-01T00:00:00.000Z';
const eventOf = (type: string, data: unknown) => ({ id: 'evt_1', type, occurred_at, import_supplier: 'SUP', data }) as ImportEvent;

describe('the line of an event', () => {
  it.each(Object.entries(SHOWN))('%s', (type, [data, words]) => {
    expect(wordsOf(eventOf(type, data))).toBe(`${occurred_at}\t${type}\t${words}`);
  });

  it('is there for one that a later release brings', () => {
    expect(wordsOf(eventOf('meter.read', { count: 1 }))).toBe(`${occurred_at}\tmeter.read\t`);
  });
});
