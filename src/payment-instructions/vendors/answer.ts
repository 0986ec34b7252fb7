import type { InstructionDetails } from '../instruction';

/** What a vendor says about a reference, whoever the vendor is. */
export type VendorAnswer =
  | {
      readonly kind: 'found';
      /** `OTHER`: a kind this service does not import. */
      readonly method: 'CARD' | 'DIRECT_DEBIT' | 'OTHER';
      readonly isActive: boolean;
      readonly details: InstructionDetails;
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_configured' }
  | { readonly kind: 'rejected_credentials' }
  /** The reason is a code for the log; it never holds what the vendor wrote. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Reads a decoded 2xx body; undefined for a body that is not what the vendor documents. */
export type Reader = (json: unknown) => VendorAnswer | undefined;
