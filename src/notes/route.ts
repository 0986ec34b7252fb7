import type { LineAnswer } from '../additions';
import { additionReply, bulkAdditions, refusalAnswer } from '../http/additions';
import type { AppHandler } from '../http/app';
import { type AddNotesOutcome, addNotes, notesInBulk } from './add';

/** `POST /v1/data-import/notes/create/` (§4.1) */
export const postNotes: AppHandler = async (c) => additionReply(c, answerTo(await addNotes(c.var.deps, c.var.caller, c.var.body.value)));

/** Ours: `POST /v1/data-import/notes/bulk/` */
export const postNotesInBulk: AppHandler = (c) => bulkAdditions(c, notesInBulk(c.var.deps), answerTo);

const answerTo = (outcome: AddNotesOutcome): LineAnswer =>
  outcome.kind === 'added' ? { status: 201, body: outcome.results } : refusalAnswer(outcome);
