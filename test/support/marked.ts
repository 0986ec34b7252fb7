/**
 * Accounts in which everything that an importer can write freely is distinct: each string, and each name of a field of its own,
 * is a marker that stands nowhere else. Two, because an account has its addresses in one form or the other, and ledgers or none.
 */
import type { Shape } from '../../src/shared/shape';

export interface Marks {
  /** A new marker; `stays`: it says nothing of a person, and so outlives an erasure. */
  mark(stays?: 'stays'): string;
  phone(): string;
  readonly personal: string[];
  readonly staying: string[];
}

export function marks(): Marks {
  const run = crypto.randomUUID().slice(0, 8);
  const [personal, staying]: [string[], string[]] = [[], []];
  return {
    personal,
    staying,
    mark: (stays) => {
      const marker = `mk${run}n${personal.length + staying.length}e`;
      (stays ? staying : personal).push(marker);
      return marker;
    },
    phone: () => {
      // Its last digits stand in E.164, too.
      const digits = `7400${String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0')}`;
      personal.push(digits);
      return `0${digits}`;
    },
  };
}

const lineItem = () => ({
  rate_band: 'STANDARD',
  start_date: '2026-01-01',
  end_date: '2026-01-02',
  number_of_units: 171.5,
  net_amount: '40.48',
  price_per_unit: '0.23603',
  units: ['85.75', 85.75],
});

/** A transaction with every field; its reason and payment type are of closed sets where it is a PAYMENT. */
const transaction = ({ mark }: Marks, type: 'PAYMENT' | 'SUPPLY_CHARGE', date: string) => ({
  transaction_id: mark('stays'),
  transaction_date: date,
  amount: '40.48',
  type,
  reason: type === 'PAYMENT' ? 'DEPOSIT' : mark(),
  payment_type: type === 'PAYMENT' ? 'CASH' : mark(),
  display_note: mark(),
  note: mark(),
  reference: mark(),
  product_code: mark(),
  line_items: [{ ...lineItem(), [mark()]: mark() }],
  tax_items: [{ amount: 2.02, tax_type: 'VAT', value_taxed: 40.48, rate: 0.05, unit_type: 'PROPORTION', [mark()]: mark() }],
  [mark()]: { [mark()]: [mark()] },
});

/** What is paid and what is charged come to nothing. */
const holder = (of: Marks) => ({
  last_statement_balance: 0,
  last_statement_closing_date: '2026-01-31',
  last_statement_issue_date: '2026-02-01',
  historical_statement_transactions: [transaction(of, 'PAYMENT', '2026-01-05'), transaction(of, 'SUPPLY_CHARGE', '2026-01-06')],
  current_statement_transactions: [transaction(of, 'PAYMENT', '2026-02-05'), transaction(of, 'SUPPLY_CHARGE', '2026-02-06')],
});

const address = ({ mark }: Marks) => ({
  country: 'GB',
  ...Object.fromEntries(
    (
      'name organization street_address dependent_locality locality administrative_area postal_code sorting_code ' +
      'delivery_point_identifier'
    )
      .split(' ')
      .map((name) => [name, mark()]),
  ),
  structured_street_address: { [mark()]: mark() },
  [mark()]: mark(),
});

const lines = ({ mark }: Marks, name: string) => ({
  ...Object.fromEntries([1, 2, 3, 4, 5].map((line) => [`${name}_address${line}`, mark()])),
  [`${name}_postcode`]: mark(),
});

const consents = ({ mark }: Marks) => [{ type: mark(), value: 'ACCEPTED', signed_at: '2020-02-02T10:00:00Z', [mark()]: mark() }];
const metadata = ({ mark }: Marks) => [{ key: mark(), value: { [mark()]: [mark()] } }];

/** `documents`: paths of documents that are there, one for a note and one for a statement. */
export function aMarkedAccount(of: Marks, supplierCode: string, form: 'address' | 'lines', documents: readonly [string, string]) {
  const { mark, phone } = of;
  return {
    import_supplier: supplierCode,
    external_account_number: mark('stays'),
    unknown_occupier: false,
    account_type: 'BUSINESS',
    company_name: mark(),
    company_number: mark(),
    business_type: mark(),
    communication_preference: 'PRINT',
    document_accessibility: 'BRAILLE',
    language_preference: 'cy',
    date_of_sale: '2025-12-24',
    sales_channel: mark(),
    sales_subchannel: mark(),
    billing_name: mark(),
    billing_sub_name: mark(),
    billing_attention_of: mark(),
    billing_customer_reference: mark(),
    billing_email: `${mark()}@example.com`,
    ...(form === 'address' ? { billing_address: address(of) } : lines(of, 'billing')),
    account_billing_options: { period_length: 'MONTHLY', period_length_multiplier: 1, period_start_day: 3, period_start_month: 1 },
    last_billed_to_date: '2026-01-31',
    next_bill_due_date: '2026-03-03',
    transfer_balance: 0,
    ...(form === 'address' ? holder(of) : { ledgers: [{ ...holder(of), ledger_balance: 0, [mark()]: mark() }] }),
    notes: [
      {
        body: mark(),
        created_at: '2025-06-01T17:30:00Z',
        is_pinned: true,
        unpin_at: '2030-01-01T00:00:00Z',
        document_paths: [{ document_path: documents[0], [mark()]: mark() }],
        [mark()]: mark(),
      },
    ],
    statements: [
      {
        statement_id: mark('stays'),
        number: mark(),
        bill_period_from_date: '2026-01-01',
        bill_period_to_date: '2026-01-31',
        issued_date: '2026-02-01',
        gross_amount: 8_420,
        statement_path: documents[1],
        [mark()]: mark(),
      },
    ],
    payment_instructions: [
      {
        vendor: mark('stays'),
        type: 'DIRECT_DEBIT',
        reference: mark(),
        valid_from: '2025-12-24T10:00:00Z',
        card: { last_digits: '8137', expiry_month: 12, expiry_year: 2029, [mark()]: mark() },
        bank_account: {
          account_holder: mark(),
          account_number: '55779911',
          sort_code: '20-41-17',
          bsb: '062-193',
          iban: 'GB33BUKB20201555555555',
          [mark()]: mark(),
        },
        [mark()]: mark(),
      },
    ],
    payment_schedules: [
      { means: 'DD', start_date: '2026-03-01', amount: '17.17', frequency: 'MONTHLY', day_of_month: 11, [mark()]: mark() },
    ],
    references: [{ namespace: mark(), value: mark() }],
    metadata: metadata(of),
    consents: consents(of),
    supply_addresses: [
      {
        ...(form === 'address' ? { supply_address: address(of) } : lines(of, 'supply')),
        customer_at_supply_address_from_date: '2020-03-01',
        customer_at_supply_address_to_date: '2030-03-01',
        is_landlord: true,
        meter_points: [
          {
            ...(form === 'address' ? { identifier: mark() } : { mpxn: mark() }),
            supply_start_date: '2026-01-15',
            supply_end_date: '2029-01-15',
            supply_type: mark(),
            agreements: [{ tariff_code: mark(), effective_from: '2026-01-15', effective_to: '2029-01-15', [mark()]: mark() }],
            [mark()]: mark(),
          },
        ],
        [mark()]: mark(),
      },
    ],
    customers: [
      {
        given_name: mark(),
        family_name: mark(),
        email: `${mark()}@example.com`,
        mobile: phone(),
        landline: phone(),
        alternative_phone_numbers: [{ phone_number: phone(), [mark()]: mark() }],
        date_of_birth: '1931-07-19',
        title: mark().slice(0, 20),
        salutation: mark(),
        pronouns: mark(),
        customer_preferences: { [mark()]: true },
        consents: consents(of),
        metadata: metadata(of),
        [mark()]: mark(),
      },
    ],
    [mark()]: { [mark()]: mark() },
  };
}

/** The paths of all values that a shape documents. */
export function documentedPaths(shape: Shape, path = ''): string[] {
  if (shape.kind === 'list') return documentedPaths(shape.item, `${path}[]`);
  if (shape.kind !== 'object') return [path];
  return [...shape.fields].flatMap(([name, field]) => documentedPaths(field, `${path}.${name}`));
}

/** The paths of all values that are there. */
export function givenPaths(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => [path, ...givenPaths(item, `${path}[]`)]);
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, child]) => givenPaths(child, `${path}.${name}`))];
}
