export { lookUpsLeft } from './bucket';
export { documentErrors } from './check';
export { deleteDocuments } from './delete';
export { keyOfUnder } from './key-of';
export { missingDocuments } from './resolve';
export { type DocumentReference, documentKey, judgeDocuments, keysOf, MAX_DOCUMENT_PATHS } from './rules';
