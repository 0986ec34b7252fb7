/** A payment instruction (§2.6) as it is stored. */

/** What is stored of an instruction: never a full card or account number. */
export interface InstructionDetails {
  /** Card network or direct debit scheme, as the vendor names it. */
  readonly scheme?: string | undefined;
  readonly last_four?: string | undefined;
  /** `YYYY-MM` */
  readonly expiry?: string | undefined;
  readonly holder?: string | undefined;
  /** What the importer sent beside the documented fields, without full numbers. */
  readonly sent?: object | undefined;
}

export interface PaymentInstructionRow {
  readonly accountId: number;
  readonly type: string;
  /** 0 is the one active instruction of its type; those of the account payload count from 1 and are never active. */
  readonly position: number;
  readonly vendor: string;
  readonly reference: string | null;
  /** A JSON object, stored as it is. */
  readonly details: object;
  /** Unix milliseconds. */
  readonly createdAt: number;
}
