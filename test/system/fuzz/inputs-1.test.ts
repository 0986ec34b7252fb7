import { runInputs } from './fuzz';

runInputs(0, 2);
