import { runSeeds } from './seeds';

runSeeds(1, 2);
