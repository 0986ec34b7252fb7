/** Words for the files that need no token. */
import { describe, type Operation } from '../reference/operation';
import { NOT_FOUND } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

const words = (id: string, summary: string) =>
  ({ id, tag: 'Service', summary, description: `${summary}.`, answers: { 200: { description: 'The file.' } } }) as const;

export const PAGES: readonly Operation[] = [
  describe(declared.getOpenapi, answers, words('getOpenapi', 'Get this document')),
  describe(declared.getDocs, answers, words('getDocs', 'Get the reference')),
  describe(declared.getDocsPage, answers, {
    id: 'getDocsPage',
    tag: 'Service',
    summary: 'Get a page of the reference',
    description: 'Get a page of the reference.',
    path: { page: { description: 'A page, or a file beside the pages.', example: 'accounts' } },
    answers: { 200: { description: 'The file.' }, 404: NOT_FOUND('No such page.') },
  }),
  describe(declared.getTools, answers, words('getTools', 'Get the page of tools')),
  describe(declared.getTool, answers, {
    id: 'getTool',
    tag: 'Service',
    summary: 'Get a tool',
    description:
      'What an importer works with: `data-import.mjs` (the command line, one file for Node 20), `data-import-client.tgz` (the client as a package without dependencies), `data-import.postman_collection.json`, and `SHA256SUMS` of them.',
    path: { file: { description: 'Name of the file.', example: 'data-import.mjs' } },
    answers: { 200: { description: 'The file.' }, 404: NOT_FOUND('There is no such tool.') },
  }),
  describe(declared.getFavicon, answers, words('getFavicon', 'Get the icon')),
];
