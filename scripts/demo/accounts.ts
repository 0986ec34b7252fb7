/**
 * 200 varied account payloads from a seed: the same seed and prefix make the same accounts. Some are wrong on purpose, each
 * with the code it must be refused with.
 */

const GIVEN = [
  'Ada',
  'Grace',
  'Alan',
  'Mary',
  'Joan',
  'Noor',
  'Zoë',
  'Tomás',
  'Björk',
  'Wei',
  'Aroha',
  'Seán',
  'Imani',
  'Priya',
  'José',
  'Chloé',
];
const FAMILY = [
  'Byron',
  'Hopper',
  'Turing',
  'Somerville',
  'Clarke',
  'Inayat Khan',
  "O'Neill",
  'García',
  'Nguyễn',
  'Okafor',
  'Łukasz',
  'Tāmaki',
];
const STREETS = ['High Street', 'Station Road', 'Mill Lane', 'Church Street', 'Victoria Road', 'Green Lane'];
const TOWNS: readonly (readonly [town: string, postcode: string])[] = [
  ['London', 'N1 9GU'],
  ['Leeds', 'LS1 4DY'],
  ['Bristol', 'BS1 5TR'],
  ['Glasgow', 'G2 1DY'],
  ['Cardiff', 'CF10 1EP'],
];
const COMPANIES = ['Northern Bakery Ltd', 'Blue Anchor Laundry', 'Wren & Sons', 'Harbour Print Works', 'The Corner Café'];
const NOTES = [
  'Prefers letters to e-mail.',
  'Moved in after a long vacancy; first reading confirmed.',
  'Called about the direct debit date. Résumé sent.',
  'Dog in the garden.',
];

/** What the scripts themselves read of a payload; the rest is for the service. */
export interface DemoPayload extends Details {
  readonly import_supplier: string;
  readonly external_account_number: string;
}

interface Details {
  notes?: readonly { readonly document_paths?: readonly object[] }[] | undefined;
  statements?: readonly { statement_path?: string }[];
  readonly [field: string]: unknown;
}

export interface DemoAccount {
  readonly payload: DemoPayload;
  /** Undefined for an account that is right, else the code it is refused with. */
  readonly expected: string | undefined;
}

interface Wanted {
  readonly supplier: string;
  readonly prefix: string;
  readonly count: number;
  readonly seed: number;
}

export function demoAccounts({
  supplier,
  prefix,
  count = 200,
  seed = 2026,
}: Pick<Wanted, 'supplier' | 'prefix'> & Partial<Wanted>): DemoAccount[] {
  const random = randomFrom(seed);
  const tools = toolsOf(random);
  return Array.from({ length: count }, (_, index) => {
    const payload: DemoPayload = {
      import_supplier: supplier,
      external_account_number: `${prefix}${String(index + 1).padStart(4, '0')}`,
      ...kindOf(index)(tools, index),
    };
    const wrong = index % 16 === 7 ? WRONG[Math.floor(index / 16) % WRONG.length] : undefined;
    if (wrong) wrong.spoil(payload);
    return { payload, expected: wrong?.code };
  });
}

/**
 * Any number of them, one at a time, a share of them wrong (0.02 for 2 %): exactly that many, in places that the seed decides.
 * Without documents none is named but what is wrong for naming one.
 */
export function* generatedAccounts({
  supplier,
  prefix,
  count,
  seed,
  wrong,
  hasDocuments,
}: Wanted & { readonly wrong: number; readonly hasDocuments: boolean }): Generator<DemoAccount> {
  const tools = toolsOf(randomFrom(seed));
  const chance = randomFrom(seed ^ 0x5eed);
  let toSpoil = Math.round(count * wrong);
  for (let index = 0; index < count; index++) {
    const payload: DemoPayload = {
      import_supplier: supplier,
      external_account_number: `${prefix}${String(index + 1).padStart(6, '0')}`,
      ...kindOf(index)(tools, index),
    };
    if (!hasDocuments) {
      payload.notes = payload.notes?.filter(({ document_paths }) => !document_paths);
      for (const statement of payload.statements ?? []) delete statement.statement_path;
    }
    const spoiler = chance() * (count - index) < toSpoil ? WRONG[toSpoil-- % WRONG.length] : undefined;
    spoiler?.spoil(payload);
    yield { payload, expected: spoiler?.code };
  }
}

type Kind = (tools: Tools, index: number) => Details;

/** Mostly homes, as in life; the rest shows what a payload can hold. */
function kindOf(index: number): Kind {
  if (index % 10 === 3) return business;
  if (index % 20 === 5) return unknownOccupier;
  if (index % 10 === 6) return australian;
  if (index % 10 === 8) return withLedgers;
  if (index % 5 === 4) return withHistory;
  return home;
}

const home = (t: Tools) => ({
  account_type: 'DOMESTIC',
  communication_preference: t.pick(['ONLINE', 'PRINT']),
  billing_address: t.address(),
  customers: [t.customer()],
  supply_addresses: [t.supply()],
});

const business = (t: Tools) => ({
  account_type: 'BUSINESS',
  company_name: t.pick(COMPANIES),
  company_number: String(t.whole(1_000_000, 9_999_999)),
  business_type: 'LIMITED_COMPANY',
  billing_name: 'Accounts payable',
  billing_address1: `${t.whole(1, 99)} Trading Estate`,
  billing_address2: 'Leeds',
  billing_postcode: 'LS1 4DY',
  customers: [t.customer(), t.customer()],
  references: [{ namespace: 'erp', value: `K-${t.whole(1_000, 9_999)}` }],
});

const unknownOccupier = (t: Tools) => ({
  unknown_occupier: true,
  account_type: 'DOMESTIC',
  billing_name: 'The Occupier',
  billing_address: t.address(),
});

const australian = (t: Tools) => ({
  customers: [{ ...t.name(), mobile: `+61 412 ${t.digits(3)} ${t.digits(3)}`, landline: '+61 2 9374 4000', email: t.email() }],
  billing_address: {
    country: 'AU',
    street_address: `${t.whole(1, 200)} George Street`,
    locality: 'Sydney',
    administrative_area: 'NSW',
    postal_code: '2000',
  },
  language_preference: 'en-AU',
});

const withLedgers = (t: Tools, index: number) => {
  const charge = t.whole(1_000, 20_000);
  const paid = t.whole(100, 900);
  const gas = t.whole(100, 5_000);
  return {
    customers: [t.customer()],
    transfer_balance: money(-charge + paid + gas),
    ledgers: [
      {
        last_statement_balance: money(-charge),
        last_statement_closing_date: '2025-12-31',
        ledger_balance: money(-charge + paid),
        historical_statement_transactions: [transaction(`E${index}-1`, '2025-11-30', charge, 'CHARGE', { reason: 'IMPORTED_CHARGE' })],
        current_statement_transactions: [
          transaction(`E${index}-2`, '2026-01-15', paid, 'PAYMENT', { payment_type: 'DD_REGULAR_COLLECTION' }),
        ],
      },
      {
        ledger_balance: money(gas),
        current_statement_transactions: [transaction(`G${index}-1`, '2026-01-20', gas, 'CREDIT', { reason: 'IMPORTED_CREDIT' })],
      },
    ],
  };
};

const withHistory = (t: Tools, index: number) => ({
  customers: [t.customer()],
  billing_address: t.address(),
  account_billing_options: { period_length: t.pick(['MONTHLY', 'QUARTERLY']), period_start_day: t.whole(1, 28) },
  notes: [
    { body: t.pick(NOTES), created_at: '2025-10-03T09:30:00Z' },
    {
      body: 'Complaint settled, see the letter.',
      is_pinned: true,
      document_paths: [{ document_path: t.pick(['letters/complaint.pdf', 'letters/welcome.pdf']) }],
    },
  ],
  statements: [
    {
      statement_id: `S${index}-3`,
      bill_period_from_date: '2025-07-01',
      bill_period_to_date: '2025-09-30',
      gross_amount: t.whole(2_000, 30_000),
      statement_path: 'statements/2025-q3.pdf',
    },
    {
      statement_id: `S${index}-4`,
      bill_period_from_date: '2025-10-01',
      bill_period_to_date: '2025-12-31',
      gross_amount: t.whole(2_000, 30_000),
      statement_path: 'statements/2025-q4.pdf',
    },
  ],
  payment_instructions: [
    {
      vendor: 'BANK',
      type: 'DIRECT_DEBIT',
      bank_account: { account_holder: 'A Customer', account_number: t.digits(8), sort_code: '20-00-00' },
    },
  ],
  payment_schedules: [
    { means: 'DD', start_date: '2026-01-01', amount: money(t.whole(2_000, 15_000)), frequency: 'MONTHLY', day_of_month: t.whole(1, 28) },
  ],
});

/** What a spoiled account is refused with. */
const WRONG: readonly { readonly code: string; spoil(payload: DemoPayload): unknown }[] = [
  {
    code: 'invalid_phone_number',
    spoil: (payload) => Object.assign(payload, { unknown_occupier: false, customers: [{ given_name: 'Ada', landline: '12' }] }),
  },
  { code: 'invalid_email', spoil: (payload) => Object.assign(payload, { billing_email: 'ada at example.com' }) },
  {
    code: 'balance_mismatch',
    spoil: (payload) => Object.assign(payload, { ledgers: [{ ledger_balance: '10.00' }], transfer_balance: '12.00' }),
  },
  {
    code: 'document_not_found',
    spoil: (payload) => Object.assign(payload, { notes: [{ document_paths: [{ document_path: 'letters/nowhere.pdf' }] }] }),
  },
  {
    code: 'customers_not_allowed',
    spoil: (payload) => Object.assign(payload, { unknown_occupier: true, customers: [{ given_name: 'Ada' }] }),
  },
  { code: 'invalid_date', spoil: (payload) => Object.assign(payload, { last_billed_to_date: '2026-02-30' }) },
];

const transaction = (transaction_id: string, transaction_date: string, minor: number, type: string, rest: object) => ({
  transaction_id,
  transaction_date,
  amount: minor / 100,
  type,
  ...rest,
});

function money(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

type Tools = ReturnType<typeof toolsOf>;

function toolsOf(random: () => number) {
  const whole = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const pick = <Item>(list: readonly Item[]): Item => {
    const item = list[whole(0, list.length - 1)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
  const digits = (count: number) => Array.from({ length: count }, () => whole(0, 9)).join('');
  const name = () => ({ given_name: pick(GIVEN), family_name: pick(FAMILY) });
  const email = () => `customer.${digits(6)}@example.com`;
  const address = () => {
    const [locality, postal_code] = pick(TOWNS);
    return { country: 'GB', street_address: `${whole(1, 200)} ${pick(STREETS)}`, locality, postal_code };
  };
  return {
    whole,
    pick,
    digits,
    name,
    email,
    address,
    customer: () => ({
      ...name(),
      email: email(),
      mobile: `07400 1${digits(5)}`,
      landline: `020 7946 0${digits(3)}`,
      date_of_birth: `19${whole(40, 99)}-0${whole(1, 9)}-1${whole(0, 9)}`,
    }),
    supply: () => ({
      supply_address: address(),
      customer_at_supply_address_from_date: '2024-03-01',
      meter_points: [
        { mpxn: digits(13), supply_start_date: '2024-03-01', agreements: [{ tariff_code: 'STANDARD-12M', effective_from: '2024-03-01' }] },
      ],
    }),
  };
}

/** mulberry32: small, and good enough for names and numbers. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
