export { documentErrors, MAX_DOCUMENT_PATHS } from './check';
export { missingDocuments } from './resolve';
export { type DocumentKey, type DocumentReference, documentKey, judgeDocuments, keysOf } from './rules';
