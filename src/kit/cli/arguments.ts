/** Arguments that several commands have. */
import { ALLOWABLE } from './guard/finding';

export const file = {
  type: 'positional',
  description: 'One JSON value a line, or one JSON array; gzip or not; - is stdin',
  required: true,
} as const;
export const json = { type: 'boolean', description: 'Results as JSON on stdout' } as const;
export const failed = { type: 'string', description: 'Where the failed ones go', valueHint: 'FILE.failed.ndjson' } as const;
export const accountsFile = { ...file, description: 'CSV, one JSON value a line, or one JSON array; gzip or not; - is stdin' } as const;
export const encoding = { type: 'string', description: 'Of a file that is neither UTF-8 nor UTF-16', valueHint: 'windows-1252' } as const;
export const patience = { type: 'string', description: 'How long an outage is waited out, 10m by default', valueHint: '10m' } as const;
export const allow = { type: 'string', description: `Sends what else stops: ${[...ALLOWABLE.keys()].join(', ')}` } as const;
export const supplier = { type: 'positional', description: 'Import supplier code', required: true } as const;
export const account = { type: 'positional', description: 'External account number', required: false } as const;
