import fc from 'fast-check';

// One seed: a mutant lives or dies the same way each time.
fc.configureGlobal({ numRuns: 25, seed: 1 });
