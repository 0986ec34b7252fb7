/** Folders with a `tsconfig.json`: the tests, the scripts with the bench, and the programs of `src`, each with the globals it runs with. */
export const PROJECTS = ['.', 'scripts', 'src', 'src/shared', 'src/kit', 'src/kit/client', 'src/openapi'] as const;
