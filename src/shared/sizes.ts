/**
 * How much may be sent (§8), in bytes.
 */

export const MEBIBYTE = 1_048_576;

/** A JSON body, and one line of a bulk body. */
export const MAX_BODY_BYTES = 1 * MEBIBYTE;
/** A bulk body, unpacked. */
export const MAX_BULK_BYTES = 64 * MEBIBYTE;
/** A document. */
export const MAX_DOCUMENT_BYTES = 100 * MEBIBYTE;
/** What of a body that is refused is read and thrown away: giving up in the middle breaks the next request of the connection. */
export const MAX_DRAINED_BYTES = 64 * MEBIBYTE;
