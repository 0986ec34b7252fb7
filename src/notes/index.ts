export * from './pure';
export { insertNotes } from './store';
