import { readAccount } from '../account-reading';
import { type Erased, eraseAccount, eraseProcess } from '../erasure';
import type { AppContext, AppHandler } from '../http/app';
import { readProcess } from '../operator';
import { at } from './parts';
import { change, html, nothingHere, page, redirectTo, textOf } from './route-frame';
import type { Session } from './session';
import { ErasePage } from './view-erase';

interface Asked {
  readonly what: string;
  readonly back: string;
  readonly note: string;
}

const account = (c: AppContext): Asked => {
  const number = c.req.param('number') ?? '';
  return { what: `account ${number}`, back: at('accounts', number), note: 'Nothing can be added to the account any more.' };
};

const process = (c: AppContext): Asked => {
  const [code, external] = [c.req.param('code') ?? '', c.req.param('external') ?? ''];
  return {
    what: `the import of ${external}`,
    back: at('suppliers', code, 'processes', external),
    note: 'What is pending is cancelled; the importer can create it again.',
  };
};

const question = (c: AppContext, session: Session, asked: Asked, wrong?: string, refused?: string) =>
  html(
    c,
    <ErasePage session={session} {...asked} action={`${asked.back}erase/`} wrong={wrong} refused={refused} />,
    refused !== undefined ? 409 : wrong !== undefined ? 400 : 200,
  );

const bodyIn = (form: FormData) => ({
  reason: textOf(form, 'reason').trim(),
  delete_documents: textOf(form, 'delete_documents') === 'true',
});

function answered(c: AppContext, session: Session, asked: Asked, outcome: Erased): Response | Promise<Response> {
  switch (outcome.kind) {
    case 'erased': {
      const { documents, areDocumentsDeleted } = outcome.erasure;
      return redirectTo(c, asked.back, areDocumentsDeleted || documents.length === 0 ? 'erased' : 'erased_but_documents', documents.length);
    }
    case 'refused':
      return question(c, session, asked, undefined, outcome.detail);
    case 'not_found':
      return nothingHere(c);
    case 'invalid':
      return question(c, session, asked, outcome.errors[0]?.detail ?? '');
  }
}

export const getEraseAccountQuestion: AppHandler = page(async (c, session) => {
  const isThere = await readAccount(c.var.deps, c.req.param('number') ?? '');
  return isThere ? question(c, session, account(c)) : nothingHere(c);
});

export const postEraseAccountForm: AppHandler = change(async (c, session, form) => {
  const outcome = await eraseAccount(c.var.deps, session.actor, c.req.param('number') ?? '', bodyIn(form));
  return answered(c, session, account(c), outcome);
});

export const getEraseProcessQuestion: AppHandler = page(async (c, session) => {
  const isThere = await readProcess(c.var.deps, c.req.param('code') ?? '', c.req.param('external') ?? '');
  return isThere ? question(c, session, process(c)) : nothingHere(c);
});

export const postEraseProcessForm: AppHandler = change(async (c, session, form) => {
  const [code, external] = [c.req.param('code') ?? '', c.req.param('external') ?? ''];
  return answered(c, session, process(c), await eraseProcess(c.var.deps, session.actor, code, external, bodyIn(form)));
});
