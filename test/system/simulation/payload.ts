/**
 * Account payloads that can be distinguished: everything in one carries its version, also in an undocumented field.
 */
export interface Payload {
  readonly version: number;
  readonly isDryRun: boolean;
  readonly isRich: boolean;
  /** Key of a document that a statement names. */
  readonly document: string | undefined;
  /** How many documents a note of it names besides. */
  readonly documents: number;
  readonly windowStart: number | undefined;
  readonly windowEnd: number | undefined;
  /** Payloads that differ in their form only are the same account: as it is, with its keys turned round, or in the other form. */
  readonly form: (typeof FORMS)[number];
}

export const FORMS = ['plain', 'turned', 'wrapped'] as const;

export const bodyOf = (payload: Payload, supplierCode: string, number: string): Record<string, unknown> => {
  const body = plainBodyOf(payload, supplierCode, number);
  switch (payload.form) {
    case 'plain':
      return body;
    case 'turned':
      return Object.fromEntries(Object.entries(body).toReversed());
    case 'wrapped':
      return { payload: { ...body, billing_email: null } };
  }
};

const plainBodyOf = (payload: Payload, supplierCode: string, number: string): Record<string, unknown> => {
  const { version, isDryRun, isRich, document, documents, windowStart, windowEnd } = payload;
  const hasTask = isDryRun || windowStart !== undefined || windowEnd !== undefined;
  return {
    import_supplier: supplierCode,
    external_account_number: number,
    billing_name: `v${version}`,
    customers: namesOf(payload).map((given_name) => ({ given_name, family_name: 'x', mobile: '07400 123456', version })),
    ...(isRich || document !== undefined
      ? {
          notes: [
            {
              body: `p${version}`,
              version,
              ...(documents > 0 ? { document_paths: pathsOf(documents).map((document_path) => ({ document_path })) } : {}),
            },
            { body: `p${version}`, created_at: '2026-01-01T00:00:00Z', version },
          ],
          statements: [
            {
              statement_id: `p${version}`,
              version,
              bill_period_from_date: '2026-01-01',
              bill_period_to_date: '2026-01-31',
              ...(document === undefined ? {} : { statement_path: document }),
            },
          ],
          current_statement_transactions: [
            {
              transaction_id: `p${version}`,
              version,
              transaction_date: '2026-02-03',
              amount: version / 100,
              type: 'CREDIT',
              reason: 'GENERAL_CREDIT',
            },
          ],
          payment_instructions: [{ vendor: 'BANK', type: 'CARD', reference: `p${version}`, version }],
        }
      : {}),
    ...(hasTask
      ? {
          task_params: {
            is_dry_run: isDryRun,
            ...(windowStart === undefined ? {} : { schedule_window_start: new Date(windowStart).toISOString() }),
            ...(windowEnd === undefined ? {} : { schedule_window_end: new Date(windowEnd).toISOString() }),
          },
        }
      : {}),
  };
};

/** The given names of its customers. */
export const namesOf = ({ version }: Payload): string[] => Array.from({ length: 1 + (version % 2) }, (_, index) => `v${version}-${index}`);

/** What the account's own rows hold beyond customers. */
export const isFull = ({ isRich, document }: Payload): boolean => isRich || document !== undefined;

export const versionOf = (body: string): number => Number(/"billing_name":"v(\d+)"/.exec(body)?.[1] ?? Number.NaN);

/** The paths of so many documents, each in a directory of its own. */
export const pathsOf = (documents: number): string[] => Array.from({ length: documents }, (_, index) => `${index}/simulated.pdf`);
