/** Words for the files that need no token. */
import { describe, type Operation } from '../reference/operation';
import * as answers from './answers';
import * as declared from './endpoints';

const words = (id: string, summary: string) =>
  ({ id, tag: 'Service', summary, description: `${summary}.`, answers: { 200: { description: 'The file.' } } }) as const;

export const PAGES: readonly Operation[] = [
  describe(declared.getOpenapi, answers, words('getOpenapi', 'Get this document')),
  describe(declared.getDocs, answers, words('getDocs', 'Get the reference page')),
  describe(declared.getFavicon, answers, words('getFavicon', 'Get the icon')),
];
