/** What is answered about statements (§4.3). */
import { addedLine } from '../http/answers';
import { statementsBody } from './schema';

/** The validated data. */
export const validatedStatements = statementsBody;

export const statementLine = addedLine([validatedStatements]);
