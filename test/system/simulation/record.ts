/**
 * What the importers of a history remember: what they sent, when, and what they were answered.
 */
import type { Payload } from './payload';

export interface Pair {
  readonly supplierId: number;
  readonly supplierCode: string;
  readonly number: string;
}

export type Asked =
  | { readonly kind: 'create'; readonly payload: Payload }
  | { readonly kind: 'notes'; readonly notes: readonly { readonly body: string; readonly created_at?: string }[] }
  | {
      readonly kind: 'transactions';
      readonly isChecked: boolean;
      readonly transactions: readonly { readonly transaction_id: string; readonly amountMinor: number }[];
    }
  | { readonly kind: 'statements'; readonly statements: readonly { readonly statement_id: string; readonly number: string }[] }
  | { readonly kind: 'instruction'; readonly type: string; readonly reference: string }
  | { readonly kind: 'status' };

export interface Sent<A extends Asked = Asked> {
  readonly pair: Pair;
  readonly asked: A;
  /** Moments of the world. `endedAt` is that of the answer, or of the crash that kept it back. */
  readonly startedAt: number;
  endedAt: number;
  /** Undefined: no answer ever came. */
  status: number | undefined;
  body: unknown;
  /** Of lines of one request: which request, and which line. */
  readonly line: { readonly request: number; readonly number: number } | undefined;
  /** Whether anything failed while it was served. */
  hadFaults: boolean;
  /** A write of it may take effect after it was answered, or after its isolate was gone. */
  isUnderWay: boolean;
}

export const isSure = ({ status }: Sent): boolean => status === 201;

/** Its effect may be there although it was not acknowledged. */
export const isPossible = ({ status, hadFaults }: Sent): boolean => status === undefined || hadFaults;

export const ofKind = <K extends Asked['kind']>(sent: readonly Sent[], kind: K): Sent<Extract<Asked, { kind: K }>>[] =>
  sent.filter((one): one is Sent<Extract<Asked, { kind: K }>> => one.asked.kind === kind);
