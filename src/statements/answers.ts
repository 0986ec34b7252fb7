/** What is answered about statements (§4.3). */
import { addedLine } from '../http/answers-bulk';
import { statementsBody } from './schema';

export { bulkDone } from '../http/answers-bulk';

/** The validated data. */
export const validatedStatements = statementsBody;

export const statementLine = addedLine([validatedStatements]);
