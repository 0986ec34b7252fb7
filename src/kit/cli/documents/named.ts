/** The documents that a record names: an account, or a request body of notes or statements. */
import type { AccountRead } from '../account';

/** Paths as they are written, each as often as it is. What is no text is left for validation to say. */
export const documentsNamedBy = ({ fields }: AccountRead): string[] => [
  ...itemsOf(fields['notes']).flatMap((note) => itemsOf(note['document_paths']).flatMap((document) => textsOf(document['document_path']))),
  ...itemsOf(fields['statements']).flatMap((statement) => textsOf(statement['statement_path'])),
];

const itemsOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const textsOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);
