/** What needs no platform: rules, shapes and their words. The importer's kit and rules of other rooms enter here. */
export { type DocumentReference, documentKey, documentPathErrors, keysOf, MAX_DOCUMENT_PATHS } from './rules';
