export { lookUpsLeft } from './bucket';
export { documentErrors } from './check';
export { keyOfUnder } from './key-of';
export { lookUpDocuments, type NamesDocuments } from './of-many';
export { missingDocuments } from './resolve';
export { type DocumentReference, documentKey, judgeDocuments, keysOf, MAX_DOCUMENT_PATHS } from './rules';
