/** Words and examples for §4.1. */
import { NOT_IMPORTED, PAIR } from '../openapi/importer';
import { describe, invalid, ok, one, type Operation } from '../openapi/operation';
import * as answers from './answers';
import * as declared from './endpoints';

const NOTE = {
  body: 'Prefers letters to e-mail.',
  created_at: '2026-01-05T09:30:00Z',
  is_pinned: true,
  document_paths: [{ document_path: 'letters/welcome.pdf' }],
};

const CHARGE = {
  transaction_id: 'T-1',
  transaction_date: '2026-11-02',
  amount: 12.5,
  type: 'CHARGE',
  reason: 'IMPORTED_CHARGE',
  display_note: 'Energy',
};
const SUPPLY_CHARGE = {
  transaction_id: 'T-2',
  transaction_date: '2026-11-03',
  amount: '42.50',
  type: 'SUPPLY_CHARGE',
  product_code: 'ELEC-STANDARD',
  line_items: [
    {
      rate_band: 'CONSUMPTION_STANDARD',
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      number_of_units: '150.5',
      net_amount: 40.48,
      price_per_unit: '0.2690',
    },
  ],
  tax_items: [{ amount: '2.02', tax_type: 'VAT', value_taxed: 40.48, rate: '0.05', unit_type: 'PROPORTION' }],
};
const OUTSIDE = {
  detail: 'The date is outside the open statement period, 2026-11-01 to 2026-11-30.',
  code: 'transaction_outside_statement_period',
  attr: 'transactions.0.transaction_date',
};
const OLD = { ...CHARGE, transaction_date: '2020-01-31' };

const STATEMENT = {
  statement_id: 'S-1',
  bill_period_from_date: '2025-10-01',
  bill_period_to_date: '2025-12-31',
  issued_date: '2026-01-04',
  number: '2025-4',
  gross_amount: 12_550,
  statement_path: 'statements/2025-q4.pdf',
};

export const NOTES: readonly Operation[] = [
  describe(declared.createNotes, answers, {
    id: 'createNotes',
    tag: 'Account data',
    summary: 'Add notes',
    description:
      'Adds 1 to 500 notes, each once: a note with the same `body` (and the same `created_at`, where sent) that is there already, also one that the service wrote itself, is not created again. Results stand in the order of the request. Safe to repeat.',
    body: one('A pinned note with a document', { ...PAIR, notes: [NOTE] }),
    answers: {
      201: ok('One result for each note.', [{ created_at: '2026-01-05T09:30:00.000Z', body: NOTE.body, status: 'NOTE_CREATION_SUCCESS' }]),
      400: invalid('The notes are not valid; nothing was stored.', [
        { detail: 'A note needs a body or document paths.', code: 'body_or_document_paths_required', attr: 'notes.0.non_field_errors' },
      ]),
      404: NOT_IMPORTED,
    },
  }),
];
