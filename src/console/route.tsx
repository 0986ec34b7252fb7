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
import { getAlertsPage, getRemoveAddressQuestion, postAddressForm, postAddressTest, postRemoveAddress } from './route-alerts';
import { getEraseAccountQuestion, getEraseProcessQuestion, postEraseAccountForm, postEraseProcessForm } from './route-erasure';
import { getExport } from './route-export';
import { needs, nothingHere, page, securityHeaders, wentWrong } from './route-frame';
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
import { getRunPage, getRunQuestion, getRunReport, getRunsPage, postRunVerb } from './route-runs';
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
import { getRevokeTokenQuestion, getTokensPage, postRevokeToken, postTokenForm } from './route-tokens';
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
const RUN = `${SUPPLIER}runs/:run/`;
const PROCESS = `${SUPPLIER}processes/:external/`;

/** What a page needs beyond looking, and a change beyond nothing: without a word here only administrators make it. */
const [anyone, operating, administering] = [needs('read'), needs('operate'), needs('administer')];

export const consolePages = new Hono<App>()
  .use('/operator/*', securityHeaders)
  .get('/operator/assets/:file/', getAsset)
  .get('/operator/sign-in/', getSignIn)
  .post('/operator/sign-in/', postSignIn)
  .post('/operator/sign-out/', anyone, postSignOut)
  .get('/operator/', getOverview)
  .get('/operator/new-supplier/', administering, getNewSupplier)
  .post('/operator/new-supplier/', administering, postNewSupplier)
  .get(SUPPLIER, getSupplierPage)
  .get(`${SUPPLIER}settings/`, operating, getSettings)
  .post(`${SUPPLIER}settings/`, operating, postSettings)
  .get(`${SUPPLIER}status/`, operating, getStatusQuestion)
  .post(`${SUPPLIER}status/`, operating, postStatus)
  .get(`${SUPPLIER}retry-errored/`, operating, getRetryQuestion)
  .post(`${SUPPLIER}retry-errored/`, operating, postRetryWithCode)
  .get(`${SUPPLIER}refusals/`, getRefusalsPage)
  .get(`${SUPPLIER}refusals/download/`, getRefusalsDownload)
  .get(`${SUPPLIER}processes/`, getProcessesPage)
  .get(`${SUPPLIER}export/`, getExport)
  .post(`${SUPPLIER}selected/`, operating, postSelected)
  .get(PROCESS, getProcessPage)
  .post(`${PROCESS}retry/`, operating, postRetryProcess)
  .get(`${PROCESS}cancel/`, operating, getCancelQuestion)
  .post(`${PROCESS}cancel/`, operating, postCancelProcess)
  .post(`${PROCESS}reveal/`, operating, postRevealPayload)
  .get(`${PROCESS}erase/`, administering, getEraseProcessQuestion)
  .post(`${PROCESS}erase/`, administering, postEraseProcessForm)
  .get(`${SUPPLIER}runs/`, getRunsPage)
  .get(RUN, getRunPage)
  .get(`${RUN}report/`, getRunReport)
  .get(`${RUN}:verb{undo}/`, administering, getRunQuestion)
  .post(`${RUN}:verb{undo}/`, administering, postRunVerb)
  .get(`${RUN}:verb/`, operating, getRunQuestion)
  .post(`${RUN}:verb/`, operating, postRunVerb)
  .get('/operator/accounts/', getFindPage)
  .get(ACCOUNT, getAccountPage)
  .post(`${ACCOUNT}reveal/`, operating, postRevealAccountPage)
  .get(`${ACCOUNT}erase/`, administering, getEraseAccountQuestion)
  .post(`${ACCOUNT}erase/`, administering, postEraseAccountForm)
  .get(`${ACCOUNT}documents/:digest/`, operating, getAccountDocument)
  .get(`${ACCOUNT}payment-instructions/:type/end/`, operating, getEndQuestion)
  .post(`${ACCOUNT}payment-instructions/:type/end/`, operating, postEndInstructionForm)
  .get('/operator/organisations/', getOrganisationsPage)
  .post('/operator/organisations/', administering, postOrganisationForm)
  .get('/operator/organisations/:id/', getOrganisationPage)
  .post('/operator/organisations/:id/keys/', administering, postKey)
  .get('/operator/keys/:id/revoke/', administering, getRevokeQuestion)
  .post('/operator/keys/:id/revoke/', administering, postRevoke)
  .get('/operator/operator-tokens/', administering, getTokensPage)
  .post('/operator/operator-tokens/', administering, postTokenForm)
  .get('/operator/operator-tokens/:id/revoke/', administering, getRevokeTokenQuestion)
  .post('/operator/operator-tokens/:id/revoke/', administering, postRevokeToken)
  .get('/operator/alerts/', getAlertsPage)
  .post('/operator/alert-addresses/', administering, postAddressForm)
  .post('/operator/alert-addresses/:id/test/', administering, postAddressTest)
  .get('/operator/alert-addresses/:id/remove/', administering, getRemoveAddressQuestion)
  .post('/operator/alert-addresses/:id/remove/', administering, postRemoveAddress)
  .get('/operator/audit/', getAuditPage)
  .get('/operator/dead-letters/', getDeadLettersPage)
  .post('/operator/dead-letters/:id/redrive/', operating, postRedriveLetter)
  .post('/operator/dead-letters/:id/dismiss/', operating, postDismissLetter)
  .get('/operator/*', (c, next) => (c.req.path.startsWith('/operator/v1/') ? notFound(c) : page(nothingHere)(c, next)));

consolePages.onError(wentWrong);
