/**
 * Gives queries the names by which their plans are known: `room/store#CONSTANT`, or the function that makes them. Where the tests load the
 * code, each builder is put into `noted`.
 */
import { relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = resolve('src');
const NOTED = resolve('test/support/noted-queries.ts');
const HOLDER_OR_BUILDER = /^(?:export )?(?:const|function) (\w+)|\b(prepared|preparedForms|inserting)(?=[<(])/gm;

/** What makes queries for others to use is in `db/`. */
const mayQuery = (path: string): boolean => /^(?!\.\.|db\/|kit\/).*\.tsx?$/.test(path);

/** Names of the queries of a file below `src/`. */
export const queryNamesIn = (path: string, code: string): string[] => (mayQuery(path) ? named(path, code).names : []);

export function queryNames(): Plugin {
  return {
    name: 'query-names',
    enforce: 'pre',
    transform(code, id) {
      const path = relative(SOURCE, id.replace(/\?.*/, ''));
      const { names, text } = mayQuery(path) ? named(path, code) : { names: [], text: code };
      return names.length === 0 ? undefined : `import { noted as notedQuery } from '${NOTED}'; ${text}`;
    },
  };
}

function named(path: string, code: string): { names: string[]; text: string } {
  const names = new Set<string>();
  let holder = '';
  const text = code.replace(HOLDER_OR_BUILDER, (found, definition: string | undefined, builder: string | undefined) => {
    holder = definition ?? holder;
    if (builder === undefined) return found;
    const name = `${path.replace(/\.tsx?$/, '')}#${holder}`;
    names.add(name);
    return `notedQuery('${name}', ${builder})`;
  });
  return { names: [...names], text };
}
