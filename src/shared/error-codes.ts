/**
 * Every error code: what it means and what to do. The reference page shows this table; the Worker knows its types only, so an answer
 * with another code does not compile.
 */
interface Explained<Code extends string> {
  readonly code: Code;
  readonly status: string;
  readonly meaning: string;
  readonly todo: string;
}

const of = <const Code extends string>(
  status: string,
  rows: readonly (readonly [code: Code, meaning: string, todo: string])[],
): Explained<Code>[] => rows.map(([code, meaning, todo]) => ({ code, status, meaning, todo }));

const REQUEST = [
  ...of('400', [
    [
      'parse_error',
      'The body is not JSON in UTF-8, nested too deep, not the gzip it says it is, or was not sent to its end.',
      'Correct how the body is written; send one that was cut again.',
    ],
    ['validation_error', 'At least one input is not valid; `errors` has all of them.', 'Correct each input that `attr` names.'],
    ['account_failed_validation', 'The same, answered by validate.', 'Correct each input that `attr` names.'],
  ]),
  ...of('401', [
    ['not_authenticated', 'No token was sent.', 'Send `Authorization: Token <token>`.'],
    [
      'authentication_failed',
      'The token is malformed, expired, or of a revoked API key.',
      'Obtain a new token; if that fails, ask the operator for a key.',
    ],
  ]),
  ...of('403', [
    [
      'permission_denied',
      'The API key is read-only, or the role of the operator does not reach.',
      'Use a key that may write; operators ask for a token with the role that `detail` names.',
    ],
  ]),
  ...of('404', [
    [
      'not_found',
      'No such resource, or not one of your organisation. For data: the account is not imported yet.',
      'Check supplier code and account number; for data, wait for PROCESSED.',
    ],
  ]),
  ...of('405', [['method_not_allowed', 'The path exists, not with this method.', 'Use a method of the `Allow` header.']]),
  ...of('409', [
    [
      'invalid_transition',
      'The state does not allow this change: an import that is not PENDING cannot be cancelled.',
      'Read the resource again.',
    ],
    [
      'document_already_exists',
      'Another document is at this path; documents are never replaced.',
      'Choose another path, or ask the operator to delete the document.',
    ],
    [
      'totals_differ',
      'What is staged of the run is not what was declared; `differences` says where. Nothing is released.',
      'Correct what was sent or what was declared, or release without `require_match`.',
    ],
  ]),
  ...of('410', [
    [
      'cursor_expired',
      'Events behind the cursor have been deleted.',
      'Read again what you follow, and go on from the `cursor` of this answer.',
    ],
  ]),
  ...of('411', [
    [
      'length_required',
      'The body of an upload was sent without its length.',
      'Send `Content-Length`; clients do so for a file or a buffer, not for a stream.',
    ],
  ]),
  ...of('413', [['payload_too_large', 'The body is larger than the limit.', 'Send less in one request.']]),
  ...of('415', [
    [
      'unsupported_media_type',
      'The type, the charset or the encoding of the body is not taken; `detail` says which.',
      'Send `Content-Type: application/json` in UTF-8, without `Content-Encoding`.',
    ],
  ]),
  ...of('429', [['throttled', 'More requests than the limit.', 'Wait for `Retry-After` seconds.']]),
  ...of('500', [
    ['error', 'A failure of ours.', 'Send the request again unchanged; give the operator the `request_id` if it stays.'],
    ['vendor_unavailable', 'The payment vendor did not answer; nothing was stored.', 'Send the request again after `Retry-After` seconds.'],
  ]),
  ...of('503', [
    [
      'service_unavailable',
      'New accounts are not taken for the moment; everything else goes on.',
      'Send the request again after `Retry-After` seconds.',
    ],
    ['not_ready', 'The service is not set up, or cannot work right now.', 'Ask the operator.'],
  ]),
];

const PROCESS = of('400 or latest_error', [
  [
    'import_process_failed_validation',
    'The account payload is not valid, or its supplier takes no accounts: `detail` says so.',
    'Ask validate for all errors.',
  ],
  [
    'account_import_process_already_imported',
    'The account exists; `account_id` is its number.',
    'Nothing: it is imported. Add data to it.',
  ],
  [
    'account_import_process_in_progress',
    'Another payload of this account is being processed; or this is a dry run, and a real import of the account waits.',
    'Send this one when that import has ended.',
  ],
  [
    'account_import_process_failed',
    'Processing failed again and again for reasons of ours.',
    'Create it again, or ask the operator to retry.',
  ],
]);

const FIELD = of('400, at a field', [
  ['required', 'The field is missing.', 'Send it.'],
  ['null', 'A required field is null.', 'Send a value.'],
  ['blank', 'A required text is empty, or nothing of it is to be seen.', 'Send a value.'],
  ['invalid', 'Not a value of this kind: wrong type, control characters, a number out of range, or out of its meaning.', 'Read `detail`.'],
  ['invalid_choice', 'Not one of the allowed values.', 'Use one of the documented values.'],
  ['max_length', 'Too long, or too many items.', 'Shorten it.'],
  ['max_value', 'Too large.', 'Lower it.'],
  ['min_value', 'Too small.', 'Raise it.'],
  ['max_digits', 'More digits than a JSON number carries: it would be rounded.', 'Send it as a string, or with 15 digits.'],
  ['max_decimal_places', 'More than two decimals.', 'Round it.'],
  ['max_whole_digits', 'More than ten digits before the point.', 'Check the amount.'],
  ['not_a_list', 'A list was expected.', 'Send a list.'],
  ['empty', 'A required list has no items.', 'Send at least one.'],
  ['does_not_exist', 'Names something that does not exist, or not for your organisation.', 'Check the code.'],
  ['unique', 'Taken already.', 'Choose another.'],
  ['invalid_phone_number', "Not a valid number in the supplier's country.", 'Correct it, or send it in international form.'],
  ['invalid_email', 'Not an e-mail address.', 'Correct it.'],
  ['invalid_url', 'Not an address that requests may be sent to: https, a public host name, port 443 or 8443.', 'Correct it.'],
  ['invalid_date', 'Not a date of the calendar, `YYYY-MM-DD`.', 'Correct it.'],
  ['invalid_datetime', 'Not a moment in ISO 8601.', 'Correct it.'],
  ['invalid_country', 'Not a country of ISO 3166-1 alpha-2.', 'Send two capital letters, for example GB.'],
  [
    'too_many_errors',
    'In place of the errors beyond the 1,000 that are listed; `attr` is empty.',
    'Correct those listed, then send it again.',
  ],
]);

const WARNING = of('in `warnings`', [
  ['undocumented_field', 'The field is not documented: it is stored as it was sent, and has no effect.', 'Check its name.'],
  ['too_many_warnings', 'In place of those beyond the 100 that are listed; `attr` is empty.', 'Check the names of those listed.'],
]);

const MEANING = of('400, at a field', [
  ['invalid_document_path', "The path could leave the supplier's root, or is no path.", 'Send a plain relative path.'],
  ['document_not_found', 'There is no such document in the bucket.', 'Place the file first, then send the request again.'],
  ['digest_mismatch', 'The document that came is not the one of the digest that was sent with it; nothing is stored.', 'Send it again.'],
  ['import_supplier_paused', "The supplier's migrations are paused.", 'Wait until the operator resumes them.'],
  ['import_supplier_complete', "The supplier's migrations are finished.", 'Ask the operator.'],
  ['customers_not_allowed', 'An unknown occupier has customers.', 'Send one or the other.'],
  ['address_given_twice', 'Both forms of an address were sent.', 'Send one form.'],
  ['balance_mismatch', 'The balance is not the sum of its transactions or ledgers.', 'Correct the balance or the transactions.'],
  ['duplicate_transaction_id', 'The same id is twice in one request.', 'Remove or rename the later one.'],
  ['date_after_statement_closing', 'A historical transaction lies after the closing date.', 'Send it as a current one.'],
  ['date_not_after_statement_closing', 'A current transaction lies on or before the closing date.', 'Send it as a historical one.'],
  [
    'transaction_outside_statement_period',
    'Outside the open statement period, and not to be moved.',
    'Correct the date, or allow it to be moved.',
  ],
  ['unpin_at_not_after_created_at', 'The note would be unpinned before it is written.', 'Correct one of the two.'],
  ['period_ends_before_it_starts', 'The end lies before the start.', 'Correct one of the two.'],
  ['statement_already_exists', 'Another statement has this id.', 'Use another id, or send the same content.'],
  ['body_or_document_paths_required', 'The note has neither body nor documents.', 'Send one of them.'],
  ['payment_instruction_not_found', 'The vendor does not know the reference.', 'Check it. Do not repeat the request as it is.'],
  ['payment_instruction_inactive', 'Expired, cancelled or not usable at the vendor.', 'Ask the customer for a new one.'],
  ['payment_instruction_type_mismatch', 'The vendor knows it as another type.', 'Correct `type`.'],
  [
    'payment_instruction_already_active',
    'The account has another active instruction of this type.',
    'Nothing can be added until that one has ended.',
  ],
  ['vendor_not_configured', 'The operator has not configured this vendor.', 'Ask the operator.'],
  ['vendor_rejected_credentials', "The vendor refused the operator's credentials.", 'Ask the operator.'],
]);

const TOKENS = of('200, in GraphQL errors', [
  ['PT-CT-1137', 'Not exactly one credential.', 'Send `APIKey` or `refreshToken`.'],
  ['PT-CT-1140', 'The API key is not valid.', 'Ask the operator for a key.'],
  ['PT-CT-1134', 'The refresh token has expired.', 'Use the API key.'],
  ['PT-CT-1135', 'The refresh token is not valid or was used before.', 'Use the API key.'],
]);

export const ERROR_CODES = [...REQUEST, ...PROCESS, ...FIELD, ...MEANING, ...WARNING, ...TOKENS];

type CodeOf<Group extends readonly { readonly code: string }[]> = Group[number]['code'];

/** Of a request as a whole. */
export type RequestCode = CodeOf<typeof REQUEST>;
/** Of an import process: refusals of a create, and latest errors. */
export type ProcessCode = CodeOf<typeof PROCESS>;
/** Of an input that has to change, a line of bulk included, or a warning about one. */
export type FieldCode =
  | Extract<RequestCode, 'parse_error' | 'payload_too_large'>
  | CodeOf<typeof FIELD>
  | CodeOf<typeof MEANING>
  | CodeOf<typeof WARNING>;
/** Of a token that was refused. */
export type TokenCode = CodeOf<typeof TOKENS>;
