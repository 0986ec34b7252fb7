/** Imported accounts whole, for operators and systems of the platform. */
import * as z from 'zod';
import { moment } from '../http/answers';
import { processStatus } from '../import-processes/answers';
import { processError } from '../operator/processes/answers';

const asSent = z.looseObject({});

const account = {
  platform_account_number: z.string(),
  platform_identifier: z.string(),
  import_supplier: z.string(),
  external_account_number: z.string(),
  account_created_at: moment,
  erased_at: moment.optional().meta({ description: 'Where its personal data was erased: what is left are numbers, dates and amounts.' }),
  account: asSent.nullable().meta({
    description:
      'The fields of the account payload as they were sent, without the lists that stand below. Null where the payload cannot be read.',
  }),
  customers: z.array(asSent).meta({ description: 'As they were sent, with phone numbers in E.164 beside them.' }),
  notes: z
    .array(
      z.looseObject({
        source: z.enum(['PAYLOAD', 'POSTED', 'SERVICE']),
        body: z.string().optional(),
        created_at: moment,
        is_pinned: z.boolean().meta({ description: 'As of now: false once `unpin_at` is over.' }),
        unpin_at: moment.optional(),
        documents: z.array(z.looseObject({ document_path: z.string(), key: z.string() })).optional(),
      }),
    )
    .meta({ description: 'Pinned ones first, then the newest first.' }),
  transactions: z
    .array(
      z.object({
        source: z.enum(['HISTORICAL', 'CURRENT', 'POSTED']),
        ledger: z.int().optional().meta({ description: 'Position in the `ledgers` of the account payload.' }),
        added_at: moment,
        imported: asSent.meta({ description: 'As it was sent.' }),
        posted: z.object({ transaction_date: z.string(), amount: z.string(), type: z.string(), note: z.string().optional() }),
      }),
    )
    .meta({ description: 'As imported and as posted; by the date posted, the newest first.' }),
  statements: z.array(
    z.object({
      added_at: moment,
      statement: asSent.meta({ description: 'As it was sent.' }),
      document_key: z.string().optional().meta({ description: 'The key of its document in the bucket.' }),
    }),
  ),
  payment_instructions: z.array(
    z.object({
      type: z.string(),
      status: z.enum(['ACTIVE', 'ENDED', 'IMPORTED']).meta({ description: 'IMPORTED came with the account payload and was never active.' }),
      added_at: moment,
      ended_at: moment.optional(),
      vendor: z.string(),
      reference: z.string().optional(),
      details: asSent.meta({ description: 'Scheme, last four, expiry, holder; never a full number.' }),
    }),
  ),
  import_process: z.object({
    status: processStatus,
    created_at: moment,
    scheduled_at: moment,
    finished_at: moment.nullable(),
    attempts: z.int(),
    events: z.array(z.object({ event: z.string(), occurred_at: moment, data: processError })),
  }),
};

export const wholeAccount = z.object(account);

export const supportAccount = z.object({
  ...account,
  history: z
    .array(z.object({ occurred_at: moment, actor: z.string(), action: z.string() }))
    .meta({ description: 'What operators did to the account and its import, the newest first.' }),
});
