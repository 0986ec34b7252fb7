export { lookUpsLeft } from './bucket';
export { documentErrors } from './check';
export { deleteDocuments } from './delete';
export { keyOfUnder } from './key-of';
export { lookUpDocuments, type NamesDocuments } from './of-many';
export * from './pure';
export { missingDocuments } from './resolve';
