import { runInputs } from './fuzz';

runInputs(1, 2);
