export { documentErrors, MAX_DOCUMENT_PATHS } from './check';
export { keyOfUnder } from './key-of';
export { missingDocuments } from './resolve';
export { type DocumentKey, type DocumentReference, documentKey, judgeDocuments, keysOf } from './rules';
