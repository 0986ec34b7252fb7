/** Words and examples for alerts and the addresses they are sent to. */
import { NOT_SET_UP } from '../../reference/common-answers';
import { describe, type Operation } from '../../reference/operation';
import { AT, PAGE, REQUIRED, UNKNOWN } from '../../reference/operator';
import { invalidQuery, ok, one } from '../../reference/words';
import { operatorPage } from '../../shared/query';
import * as answers from './answers';
import * as declared from './endpoints';
import { alertsQuery } from './schema';

const ALERT = {
  id: 'alr_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  rule: 'many_errors',
  supplier: 'NORTH',
  is_firing: true,
  since: AT,
  summary: '42 of the 120 accounts of NORTH that ended lately are ERRORED (35 %).',
  details: { errored: 42, ended: 120, percent: 35 },
};
const ADDRESS = { id: 'ala_0a1b2c3d4e5f60718293a4b5c6d7e8f9', url: 'https://alerts.example.com/import', created_at: AT };
const PATH = { id: { description: 'Id of the address.', example: ADDRESS.id } };

export const ALERTS: readonly Operation[] = [
  describe(declared.listAlerts, answers, {
    tag: 'Operator',
    id: 'listAlerts',
    summary: 'List alerts',
    description: 'What fires and since when, and what ended in the last 90 days; newest first, brought up to date by the call.',
    query: { firing: { description: 'Only what fires now.' }, ...PAGE },
    answers: { 200: ok('Alerts.', [ALERT], ['Link']), 400: invalidQuery(alertsQuery, 'limit') },
  }),
  describe(declared.createAlertAddress, answers, {
    tag: 'Operator',
    id: 'createAlertAddress',
    summary: 'Have alerts sent to an address',
    description:
      'Each alert is posted there when it begins and when it ends, as `{type: "alert.firing" | "alert.ended", timestamp, data}`, signed by the convention of Standard Webhooks, until a 2xx takes it, for three days.',
    body: one('Have alerts sent to an address', { url: ADDRESS.url }),
    answers: { 201: ok('Created.', { ...ADDRESS, secret: 'whsec_…' }), 400: REQUIRED('url') },
    others: { 503: NOT_SET_UP },
  }),
  describe(declared.listAlertAddresses, answers, {
    tag: 'Operator',
    id: 'listAlertAddresses',
    summary: 'List addresses of alerts',
    description: 'Newest first, with what became of the latest delivery.',
    query: PAGE,
    answers: { 200: ok('Addresses.', [ADDRESS], ['Link']), 400: invalidQuery(operatorPage, 'limit') },
  }),
  describe(declared.removeAlertAddress, answers, {
    tag: 'Operator',
    id: 'removeAlertAddress',
    summary: 'Remove an address of alerts',
    description: 'Nothing is sent there any more, also nothing that waits.',
    path: PATH,
    answers: { 204: { description: 'Removed.' }, 404: UNKNOWN },
  }),
  describe(declared.testAlertAddress, answers, {
    tag: 'Operator',
    id: 'testAlertAddress',
    summary: 'Try an address of alerts',
    description: 'Posts a signed `alert.test` now, once, and answers what became of it.',
    path: PATH,
    answers: { 200: ok('Tried.', { is_taken: true }), 404: UNKNOWN },
    others: { 503: NOT_SET_UP },
  }),
];
