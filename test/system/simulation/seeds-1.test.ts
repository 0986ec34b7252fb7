import { runSeeds } from './seeds';

runSeeds(0, 2);
