/** The text of `src/client/wire.ts`. `npm run build` writes it, and a test holds the file to it. */
import { answerTypes } from './answer-types';
import { answerSchemas, wireSchemas } from './wire-schemas';
import { wireTypes } from './wire-types';

export const wireText = (): string => `${wireTypes(wireSchemas)}\n${answerTypes(answerSchemas)}`;
