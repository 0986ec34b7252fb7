/** Words and examples for import suppliers. */

import { describe, type Operation } from '../../reference/operation';
import { AT, CONFLICT, ORGANISATION_ID, PAGE, REQUIRED, UNKNOWN } from '../../reference/operator';
import { invalidQuery, ok, one } from '../../reference/words';
import { operatorPage } from '../../shared/query';
import * as answers from './answers';
import * as declared from './endpoints';

const CONFIGURATION = {
  default_country: 'GB',
  documents_root: 'north',
  time_zone: 'Europe/London',
  send_customer_emails: false,
  extra_charge_reasons: [],
  extra_credit_reasons: [],
  vendors: [],
  payload_retention_days: 90,
  undo_hours: 0,
  event_retention_days: 30,
};
const SUPPLIER = {
  organisation_id: ORGANISATION_ID,
  code: 'NORTH',
  name: 'North',
  status: 'Ongoing',
  configuration: CONFIGURATION,
  version: 1,
  created_at: AT,
  modified_at: AT,
  import_processes: { PENDING: 3, PROCESSED: 120 },
};

export const OPERATOR_SUPPLIERS: readonly Operation[] = [
  describe(declared.createSupplier, answers, {
    tag: 'Operator',
    id: 'createSupplier',
    summary: 'Create an import supplier',
    description:
      'New suppliers are Ongoing. Its code is unique in the service. Its `documents_root` is the code unless given, and may not be, hold or lie in that of another organisation.',
    body: one('Create an import supplier', {
      organisation_id: ORGANISATION_ID,
      code: 'NORTH',
      name: 'North',
      configuration: { default_country: 'GB', documents_root: 'north' },
    }),
    answers: { 201: ok('Created.', SUPPLIER), 400: REQUIRED('code') },
  }),
  describe(declared.listSuppliers, answers, {
    tag: 'Operator',
    id: 'listSuppliers',
    summary: 'List import suppliers',
    description: 'Newest first, with the number of import processes by status.',
    query: PAGE,
    answers: { 200: ok('Suppliers.', [SUPPLIER], ['Link']), 400: invalidQuery(operatorPage, 'limit') },
  }),
  describe(declared.getSupplier, answers, {
    tag: 'Operator',
    id: 'getSupplier',
    summary: 'Get an import supplier',
    description: 'With the number of import processes by status.',
    answers: { 200: ok('The supplier.', SUPPLIER), 404: UNKNOWN },
  }),
  describe(declared.changeSupplier, answers, {
    tag: 'Operator',
    id: 'changeSupplier',
    summary: 'Change an import supplier',
    description:
      'Status and configuration, merged key by key. Ongoing and Paused lead to each other and to Complete; Complete leads back to Ongoing with a `reason`. What was accepted waits while Paused; Complete cancels what is still PENDING, if that is no more than `confirm_pending`, where given. With `version` nothing is changed once somebody else changed the supplier (409).',
    body: one('Change an import supplier', { status: 'Paused' }),
    answers: { 200: ok('Changed.', { ...SUPPLIER, status: 'Paused' }), 400: REQUIRED('reason'), 404: UNKNOWN, 409: CONFLICT },
  }),
];
