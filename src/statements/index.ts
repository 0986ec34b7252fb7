export * from './pure';
export { insertStatements } from './store';
