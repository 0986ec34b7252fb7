/** What the bench takes from the product in plain Node: payloads, tokens and the pure rules it times. */
import { checkAccount } from '../src/accounts/validation/check';
import { parse } from '../src/shared/parse';
import { issueToken } from '../src/tokens/token';
import { transactionListErrors } from '../src/transactions/rules';
import { transactionsBody } from '../src/transactions/schema';
import { aFullAccount, aSmallAccount } from '../test/support/payloads';
import { aSupplierWith } from '../test/support/suppliers';
import type { Pure } from './bundle.ts';

const supplier = aSupplierWith();

export const pure: Pure = {
  smallAccount: aSmallAccount,
  fullAccount: aFullAccount,
  issueToken,
  accountErrors: (payload, now) => checkAccount(payload, supplier, now).errors,
  transactionErrors(body) {
    const { errors, draft } = parse(transactionsBody, body);
    return [...errors, ...transactionListErrors({ path: ['transactions'], items: draft.transactions ?? [] }, supplier.configuration)];
  },
};
