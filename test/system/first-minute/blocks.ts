/** The blocks of a document, as they are shown to be pasted. */
import { readRoot } from '../../support/source';

export interface Block {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

/** All of them, each under the heading above it, in their order. */
export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const [, title, language, text] of readRoot(document).matchAll(/^(?:##+ (.+)|```(\w*)\n([\s\S]*?)\n```)$/gm)) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, language: language ?? '', text: text ?? '' });
  }
  return blocks;
}
