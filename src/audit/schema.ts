import * as z from 'zod';
import { operatorPage } from '../shared/query';

const text = z.string().optional();

/** `GET /operator/v1/audit/`: `from` and `to` are read by `filter.ts`, as those of the console are. */
export const auditQuery = operatorPage.extend({ actor: text, action: text, supplier: text, from: text, to: text });
