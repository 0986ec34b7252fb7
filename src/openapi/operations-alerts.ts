/** The operator interface: what is to be looked at, and who is told. */
import * as z from 'zod';
import { alertAddressBody } from '../operator/alerts/schema';
import * as shown from './answers-alerts';
import { invalidQuery, NOT_SET_UP, noContent, OPERATOR_READ, type Operation, ok } from './operation';
import { AT, act, get, operator, PAGE, REQUIRED, UNKNOWN, write } from './operator-helpers';

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

export const ALERT_OPERATIONS: readonly Operation[] = [
  get(
    {
      id: 'listAlerts',
      path: 'alerts/',
      summary: 'List alerts',
      description: 'What fires and since when, and what ended in the last 90 days; newest first, brought up to date by the call.',
      query: [{ name: 'firing', description: 'Only what fires now.', schema: z.enum(['true', 'false', '1', '0']) }, ...PAGE],
    },
    { 200: ok('Alerts.', shown.alerts, [ALERT], ['Link']), 400: invalidQuery('limit') },
  ),
  write(
    'post',
    {
      id: 'createAlertAddress',
      role: 'administer',
      path: 'alert-addresses/',
      summary: 'Have alerts sent to an address',
      description:
        'Each alert is posted there when it begins and when it ends, as `{type: "alert.firing" | "alert.ended", timestamp, data}`, signed by the convention of Standard Webhooks, until a 2xx takes it, for three days.',
    },
    alertAddressBody,
    { url: ADDRESS.url },
    { 201: ok('Created.', shown.newAlertAddress, { ...ADDRESS, secret: 'whsec_…' }), 400: REQUIRED('url'), 503: NOT_SET_UP },
  ),
  get(
    {
      id: 'listAlertAddresses',
      role: 'administer',
      path: 'alert-addresses/',
      summary: 'List addresses of alerts',
      description: 'Newest first, with what became of the latest delivery.',
      query: PAGE,
    },
    { 200: ok('Addresses.', shown.alertAddresses, [ADDRESS], ['Link']), 400: invalidQuery('limit') },
  ),
  operator(
    'delete',
    {
      id: 'removeAlertAddress',
      role: 'administer',
      path: 'alert-addresses/{id}/',
      summary: 'Remove an address of alerts',
      description: 'Nothing is sent there any more, also nothing that waits.',
    },
    { 204: noContent('Removed.'), 404: UNKNOWN, ...OPERATOR_READ },
  ),
  act(
    {
      id: 'testAlertAddress',
      role: 'administer',
      path: 'alert-addresses/{id}/test/',
      summary: 'Try an address of alerts',
      description: 'Posts a signed `alert.test` now, once, and answers what became of it.',
    },
    { 200: ok('Tried.', shown.alertTest, { is_taken: true }), 404: UNKNOWN, 503: NOT_SET_UP },
  ),
];
