/** The bodies of answers about events (§12). */
import * as z from 'zod';
import { problem } from '../http/answers';

const imported = z.object({
  external_account_number: z.string(),
  run: z.string().optional().meta({ description: 'The run that it is in.' }),
});
const run = z.object({ run: z.string() });
const account = z.object({ external_account_number: z.string(), platform_account_number: z.string() });
const counted = z.object({ ...account.shape, count: z.int() });

const event = <const Type extends string>(type: Type, data: z.ZodType) =>
  z.object({
    id: z.string().meta({ description: 'The same each time the event is read or sent.' }),
    type: z.literal(type),
    occurred_at: z.string().meta({ format: 'date-time' }),
    import_supplier: z.string(),
    data,
  });

const finished = z.object({
  imports: z.array(
    z.object({
      ...imported.shape,
      status: z.enum(['PROCESSED', 'ERRORED', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED']),
      platform_account_number: z.string().optional(),
      platform_identifier: z.string().optional(),
      code: z.string().optional().meta({ description: 'Of the error it ended with.' }),
    }),
  ),
});

const cancelled = z.object({
  imports: z.array(imported),
  reason: z.enum(['window_closed', 'import_supplier_complete', 'importer', 'operator', 'run']),
});

const undone = z.object({ imports: z.array(z.object({ ...imported.shape, platform_account_number: z.string() })) });

/** Any event. One lists up to 500 imports. */
export const anyEvent = z.union([
  event('account_imports.finished', finished),
  event('account_imports.cancelled', cancelled),
  event('account_imports.undone', undone),
  event('notes.added', counted),
  event('transactions.added', counted),
  event('statements.added', counted),
  event('payment_instruction.added', counted),
  event('payment_instruction.ended', counted),
  event('account.erased', account),
  event('import_supplier.changed', z.object({ status: z.enum(['Ongoing', 'Paused', 'Complete']) })),
  event('run.held', z.object({ ...run.shape, held_by: z.enum(['importer', 'errors', 'cancelled', 'undone']), errors: z.int() })),
  event('run.released', z.object({ ...run.shape, released: z.enum(['all', 'some']) })),
  event('run.finished', z.object({ ...run.shape, counts: z.record(z.string(), z.int()) })),
  event('run.cancelled', z.object({ ...run.shape, count: z.int() })),
  event('run.undone', z.object({ ...run.shape, count: z.int() })),
]);

export const eventPage = z.object({
  events: z.array(anyEvent),
  cursor: z.string().meta({ description: 'Where to go on, now or at any later time. It looks different at each answer.' }),
  has_more: z.boolean().meta({ description: 'Ask again at once. A page may have no events and more behind it.' }),
});

export const cursorExpired = z.object({
  ...problem.shape,
  cursor: z.string().meta({ description: 'The oldest there is.' }),
});
