/** What is answered about statements (§4.3): the validated data. */
export { statementsBody as validatedStatements } from './schema';
