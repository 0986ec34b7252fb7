import type { AppContext, AppHandler } from '../http/app';
import { readSupplier } from '../operator';
import { REFUSAL_MINUTES, readRefusals, refusalLines } from '../refusals';
import { html, nothingHere, page } from './route-frame';
import { RefusalsPage } from './view-refusals';

const codeOf = (c: AppContext): string => c.req.param('code') ?? '';

export const getRefusalsPage: AppHandler = page(async (c, session) => {
  const [supplier, summary] = await Promise.all([
    readSupplier(c.var.deps, codeOf(c)),
    readRefusals(c.var.deps, codeOf(c), REFUSAL_MINUTES),
  ]);
  return supplier && summary ? html(c, <RefusalsPage session={session} supplier={supplier} {...summary} />) : nothingHere(c);
});

/** The newest examples as NDJSON: for the importer, to find the accounts by. */
export const getRefusalsDownload: AppHandler = page(async (c) => {
  const summary = await readRefusals(c.var.deps, codeOf(c), REFUSAL_MINUTES);
  if (!summary) return nothingHere(c);
  const headers = { 'Content-Type': 'application/x-ndjson', 'Content-Disposition': 'attachment; filename="refusals.ndjson"' };
  return c.body(refusalLines(summary), 200, headers);
});
