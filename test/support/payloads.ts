/**
 * Account payloads (§4.5) as importers send them: a small one, and full ones of two countries. Every call gives a fresh value.
 */

/** The least that an account of one customer needs, with what most carry: about 600 bytes. */
export const aSmallAccount = (supplierCode: string, external: string) => ({
  import_supplier: supplierCode,
  external_account_number: external,
  account_type: 'DOMESTIC',
  billing_name: 'Ada Bell',
  billing_address1: '1 Harbour Road',
  billing_address2: 'Bristol',
  billing_postcode: 'BS1 5TY',
  date_of_sale: '2026-01-15',
  customers: [
    {
      given_name: 'Ada',
      family_name: 'Bell',
      email: 'ada.bell@example.com',
      mobile: '07400 123456',
      landline: '+44 20 7946 0018',
      date_of_birth: '1985-04-12',
      customer_preferences: { opted_in_to_offers: true },
    },
  ],
  supply_addresses: [
    {
      supply_address1: '1 Harbour Road',
      supply_postcode: 'BS1 5TY',
      customer_at_supply_address_from_date: '2020-03-01',
      meter_points: [{ mpxn: '2000000000001', supply_start_date: '2026-01-15' }],
    },
  ],
});

const historicalTransactions = () => [
  {
    transaction_id: 'H-1',
    transaction_date: '2026-01-05',
    amount: 84.2,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    display_note: 'January',
  },
  { transaction_id: 'H-2', transaction_date: '2026-01-20', amount: 100, type: 'PAYMENT', payment_type: 'DD_REGULAR_COLLECTION' },
  { transaction_id: 'H-3', transaction_date: '2026-01-31', amount: '0.10', type: 'CREDIT', reason: 'GENERAL_CREDIT', note: 'rounding' },
];

const currentTransactions = () => [
  {
    transaction_id: 'C-1',
    transaction_date: '2026-02-03',
    amount: 42.5,
    type: 'SUPPLY_CHARGE',
    display_note: 'Electricity',
    product_code: 'ELEC-STANDARD',
    line_items: [
      {
        rate_band: 'CONSUMPTION_STANDARD',
        start_date: '2026-02-01',
        end_date: '2026-02-02',
        number_of_units: 171.5,
        net_amount: 40.48,
        price_per_unit: '0.23603',
        units: [85.75, 85.75],
      },
    ],
    tax_items: [{ amount: 2.02, tax_type: 'VAT', value_taxed: 40.48, rate: 0.05, unit_type: 'PROPORTION' }],
  },
  { transaction_id: 'C-2', transaction_date: '2026-02-14', amount: 25, type: 'REPAYMENT', payment_type: 'DIRECT_CREDIT', reference: 'R-9' },
];

/** A full account of Great Britain, about 6 KB, partly in other scripts. Names no documents. */
export const aFullAccount = (supplierCode: string, external: string) => ({
  import_supplier: supplierCode,
  external_account_number: external,
  unknown_occupier: false,
  account_type: 'BUSINESS',
  company_name: 'Ζαχαροπλαστείο Αθηνά Ltd',
  company_number: '09876543',
  business_type: 'LIMITED_COMPANY',
  communication_preference: 'ONLINE',
  document_accessibility: 'LARGE_PRINT',
  language_preference: 'en-GB',
  date_of_sale: '2025-12-24',
  sales_channel: 'BROKER',
  sales_subchannel: 'Ümit & Söhne',
  billing_name: 'Αθηνά Παπαδοπούλου',
  billing_sub_name: 'Accounts payable',
  billing_attention_of: '佐藤 花子',
  billing_customer_reference: 'PO-2026/77',
  billing_email: 'bills@bakery.example.com',
  billing_address: {
    country: 'GB',
    name: 'Αθηνά Παπαδοπούλου',
    organization: 'Ζαχαροπλαστείο Αθηνά Ltd',
    street_address: 'Unit 4\n12 Mill Lane',
    structured_street_address: { building_number: '12', thoroughfare: 'Mill Lane', sub_building_name: 'Unit 4' },
    dependent_locality: 'Cotham',
    locality: 'Bristol',
    administrative_area: 'Bristol',
    postal_code: 'BS6 6AA',
    sorting_code: 'BS6',
    delivery_point_identifier: '1234567890',
  },
  account_billing_options: { period_length: 'MONTHLY', period_length_multiplier: 1, period_start_day: 3, period_start_month: 1 },
  last_billed_to_date: '2026-01-31',
  last_statement_closing_date: '2026-01-31',
  last_statement_issue_date: '2026-02-01',
  next_bill_due_date: '2026-03-03',
  last_statement_balance: 15.9,
  transfer_balance: '-51.60',
  historical_statement_transactions: historicalTransactions(),
  current_statement_transactions: currentTransactions(),
  notes: [
    {
      body: 'Prefers to be called after five.\nHas a dog. 🐕',
      created_at: '2025-06-01T17:30:00Z',
      is_pinned: true,
      unpin_at: '2030-01-01T00:00:00Z',
    },
    { body: 'Meter is behind the oven.', created_at: '2025-07-01T09:00:00+01:00' },
  ],
  statements: [
    {
      statement_id: 'S-2026-01',
      number: '2026/01',
      bill_period_from_date: '2026-01-01',
      bill_period_to_date: '2026-01-31',
      issued_date: '2026-02-01',
      gross_amount: 8_420,
    },
  ],
  payment_instructions: [
    {
      vendor: 'STRIPE',
      type: 'CARD',
      reference: 'pm_1',
      valid_from: '2025-12-24',
      card: { last_digits: '4242', expiry_month: 12, expiry_year: 2029 },
    },
    {
      vendor: 'GOCARDLESS',
      type: 'DIRECT_DEBIT',
      reference: 'MD0001',
      valid_from: '2025-12-24T10:00:00Z',
      bank_account: {
        account_holder: 'A PAPADOPOULOU',
        account_number: '55779911',
        sort_code: '20-00-00',
        iban: 'GB33 BUKB 2020 1555 5555 55',
      },
    },
  ],
  payment_schedules: [{ means: 'DD', start_date: '2026-02-15', amount: '120.00', frequency: 'MONTHLY', day_of_month: 15 }],
  references: [{ namespace: 'crm', value: 'ΑΒ-100' }],
  metadata: [{ key: 'legacy', value: { system: 'old', flags: [1, null, 'x'] } }],
  consents: [{ type: 'MARKETING_EMAIL', value: 'ACCEPTED', signed_at: '2025-12-24T10:00:00Z' }],
  supply_addresses: [
    {
      supply_address: { country: 'GB', street_address: '12 Mill Lane', locality: 'Bristol', postal_code: 'BS6 6AA' },
      customer_at_supply_address_from_date: '2019-05-01',
      customer_at_supply_address_to_date: '2031-05-01',
      is_landlord: false,
      meter_points: [
        {
          mpxn: '2000000000002',
          supply_type: 'ELECTRICITY',
          supply_start_date: '2025-12-24',
          supply_end_date: '2027-12-24',
          meters: [{ serial_number: 'E12 34567', registers: [{ identifier: '01', digits: 5 }] }],
          agreements: [{ tariff_code: 'E-1R-VAR-25-B', effective_from: '2025-12-24', effective_to: '2026-12-24' }],
        },
        { identifier: 'G-77', supply_type: 'GAS', supply_start_date: '2025-12-24', agreements: [{ tariff_code: 'G-1R-VAR-25-B' }] },
      ],
    },
  ],
  customers: [
    {
      title: 'Dr',
      salutation: 'Dear Dr Papadopoulou',
      pronouns: 'she/her',
      given_name: 'Αθηνά',
      family_name: 'Παπαδοπούλου',
      email: 'athina@bakery.example.com',
      mobile: '07400 123456',
      landline: '(0117) 496 0123',
      alternative_phone_numbers: [{ phone_number: '+30 21 2345 6789' }],
      date_of_birth: '1979-11-02',
      customer_preferences: { opted_in_to_offers: false, opted_in_to_third_parties: false },
      consents: [{ type: 'MARKETING_POST', value: 'REJECTED' }],
      metadata: [{ key: 'vip', value: true }],
    },
    { family_name: '佐藤', email: 'sato@xn--80ak6aa92e.example' },
  ],
});

/** A full account of Australia: ledgers, BPAY, landline in national form. For suppliers whose `default_country` is AU. */
export const anAustralianAccount = (supplierCode: string, external: string) => ({
  import_supplier: supplierCode,
  external_account_number: external,
  account_type: 'DOMESTIC',
  language_preference: 'en-AU',
  communication_preference: 'PRINT',
  billing_name: "Siobhán O'Neill",
  billing_address1: '5/27 Wattle Street',
  billing_address2: 'Brunswick',
  billing_address3: 'VIC',
  billing_postcode: '3056',
  account_billing_options: { period_length: 'QUARTERLY', period_length_multiplier: 1, period_start_day: 1, period_start_month: 2 },
  transfer_balance: -26.7,
  ledgers: [
    {
      last_statement_balance: 15.9,
      last_statement_closing_date: '2026-01-31',
      last_statement_issue_date: '2026-02-02',
      ledger_balance: -51.6,
      historical_statement_transactions: historicalTransactions(),
      current_statement_transactions: currentTransactions(),
    },
    {
      ledger_balance: '24.90',
      current_statement_transactions: [
        { transaction_id: 'G-1', transaction_date: '2026-02-11', amount: '24.90', type: 'CREDIT', reason: 'JOINING_REWARD' },
      ],
    },
  ],
  payment_instructions: [
    {
      vendor: 'BANK',
      type: 'BPAY',
      reference: '2003456789',
      bank_account: { account_holder: "S O'Neill", bsb: '063-000', account_number: '12345678' },
    },
  ],
  payment_schedules: [{ means: 'MANUAL', start_date: '2026-03-01', frequency: 'QUARTERLY' }],
  supply_addresses: [
    {
      supply_address: {
        country: 'AU',
        street_address: '5/27 Wattle Street',
        locality: 'Brunswick',
        administrative_area: 'VIC',
        postal_code: '3056',
      },
      customer_at_supply_address_from_date: '2022-09-17',
      is_landlord: false,
      meter_points: [{ identifier: '6305000001', supply_type: 'ELECTRICITY', supply_start_date: '2026-02-01' }],
    },
  ],
  customers: [
    {
      title: 'Ms',
      given_name: 'Siobhán',
      family_name: "O'Neill",
      email: 'siobhan@example.com.au',
      mobile: '0412 345 678',
      landline: '(03) 9012 3456',
    },
  ],
});
