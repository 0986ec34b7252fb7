/**
 * The console's own map: pages under `/operator/`, for people in a browser. Everything it does goes through the same verbs as
 * the JSON interface under `/operator/v1/`.
 */
import { Hono } from 'hono';
import type { App, AppHandler } from '../http/app';
import { notFound } from '../http/replies';
import {
  getAccountDocument,
  getAccountPage,
  getEndQuestion,
  getFindPage,
  postEndInstructionForm,
  postRevealAccountPage,
} from './route-accounts';
import { getEraseAccountQuestion, getEraseProcessQuestion, postEraseAccountForm, postEraseProcessForm } from './route-erasure';
import { getExport } from './route-export';
import { nothingHere, page, securityHeaders, wentWrong } from './route-frame';
import {
  getOrganisationPage,
  getOrganisationsPage,
  getRevokeQuestion,
  postKey,
  postOrganisationForm,
  postRevoke,
} from './route-organisations';
import { getNewSupplier, getOverview, postNewSupplier } from './route-overview';
import {
  getCancelQuestion,
  getProcessesPage,
  getProcessPage,
  postCancelProcess,
  postRetryProcess,
  postRevealPayload,
  postSelected,
} from './route-processes';
import { getRefusalsDownload, getRefusalsPage } from './route-refusals';
import { getSignIn, postSignIn, postSignOut } from './route-session';
import {
  getRetryQuestion,
  getSettings,
  getStatusQuestion,
  getSupplierPage,
  postRetryWithCode,
  postSettings,
  postStatus,
} from './route-suppliers';
import { getAuditPage, getDeadLettersPage, postDismissLetter, postRedriveLetter } from './route-trail';

/** Styles, scripts and the font; the only thing here that anybody may read. */
const getAsset: AppHandler = async (c) => {
  const file = c.req.param('file') ?? '';
  if (!/^[a-z0-9.]+$/.test(file)) return notFound(c);
  const request = new Request(new URL(`/operator/assets/${file}`, c.req.url), { headers: c.req.raw.headers });
  const answer = await c.var.deps.env.ASSETS.fetch(request);
  return answer.status === 404 ? notFound(c) : new Response(answer.body, answer);
};

const SUPPLIER = '/operator/suppliers/:code/';
const ACCOUNT = '/operator/accounts/:number/';
const PROCESS = `${SUPPLIER}processes/:external/`;

export const consolePages = new Hono<App>()
  .use('/operator/*', securityHeaders)
  .get('/operator/assets/:file/', getAsset)
  .get('/operator/sign-in/', getSignIn)
  .post('/operator/sign-in/', postSignIn)
  .post('/operator/sign-out/', postSignOut)
  .get('/operator/', getOverview)
  .get('/operator/new-supplier/', getNewSupplier)
  .post('/operator/new-supplier/', postNewSupplier)
  .get(SUPPLIER, getSupplierPage)
  .get(`${SUPPLIER}settings/`, getSettings)
  .post(`${SUPPLIER}settings/`, postSettings)
  .get(`${SUPPLIER}status/`, getStatusQuestion)
  .post(`${SUPPLIER}status/`, postStatus)
  .get(`${SUPPLIER}retry-errored/`, getRetryQuestion)
  .post(`${SUPPLIER}retry-errored/`, postRetryWithCode)
  .get(`${SUPPLIER}refusals/`, getRefusalsPage)
  .get(`${SUPPLIER}refusals/download/`, getRefusalsDownload)
  .get(`${SUPPLIER}processes/`, getProcessesPage)
  .get(`${SUPPLIER}export/`, getExport)
  .post(`${SUPPLIER}selected/`, postSelected)
  .get(PROCESS, getProcessPage)
  .post(`${PROCESS}retry/`, postRetryProcess)
  .get(`${PROCESS}cancel/`, getCancelQuestion)
  .post(`${PROCESS}cancel/`, postCancelProcess)
  .post(`${PROCESS}reveal/`, postRevealPayload)
  .get(`${PROCESS}erase/`, getEraseProcessQuestion)
  .post(`${PROCESS}erase/`, postEraseProcessForm)
  .get('/operator/accounts/', getFindPage)
  .get(ACCOUNT, getAccountPage)
  .post(`${ACCOUNT}reveal/`, postRevealAccountPage)
  .get(`${ACCOUNT}erase/`, getEraseAccountQuestion)
  .post(`${ACCOUNT}erase/`, postEraseAccountForm)
  .get(`${ACCOUNT}documents/:digest/`, getAccountDocument)
  .get(`${ACCOUNT}payment-instructions/:type/end/`, getEndQuestion)
  .post(`${ACCOUNT}payment-instructions/:type/end/`, postEndInstructionForm)
  .get('/operator/organisations/', getOrganisationsPage)
  .post('/operator/organisations/', postOrganisationForm)
  .get('/operator/organisations/:id/', getOrganisationPage)
  .post('/operator/organisations/:id/keys/', postKey)
  .get('/operator/keys/:id/revoke/', getRevokeQuestion)
  .post('/operator/keys/:id/revoke/', postRevoke)
  .get('/operator/audit/', getAuditPage)
  .get('/operator/dead-letters/', getDeadLettersPage)
  .post('/operator/dead-letters/:id/redrive/', postRedriveLetter)
  .post('/operator/dead-letters/:id/dismiss/', postDismissLetter)
  .get('/operator/*', (c, next) => (c.req.path.startsWith('/operator/v1/') ? notFound(c) : page(nothingHere)(c, next)));

consolePages.onError(wentWrong);
