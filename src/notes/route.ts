import type { LineAnswer } from '../additions';
import { additionReply, bulkAdditions, refusalAnswer } from '../http/additions';
import { readsBulk } from '../http/bulk';
import { route } from '../http/route';
import { type AddNotesOutcome, addNotes, notesInBulk } from './add';
import { bulkNotes, createNotes } from './endpoints';

/** `POST /v1/data-import/notes/create/` (§4.1) */
export const postNotes = route(createNotes, async (c) =>
  additionReply(c, answerTo(await addNotes(c.var.deps, c.var.caller, c.var.body.value))),
);

/** Ours: `POST /v1/data-import/notes/bulk/` */
export const postNotesInBulk = route(bulkNotes, (c) => bulkAdditions(c, notesInBulk(c.var.deps), answerTo), readsBulk(bulkNotes.body));

const answerTo = (outcome: AddNotesOutcome): LineAnswer =>
  outcome.kind === 'added' ? { status: 201, body: outcome.results } : refusalAnswer(outcome);
