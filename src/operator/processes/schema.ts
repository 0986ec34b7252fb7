import * as z from 'zod';
import { STATUSES } from '../../import-processes/pure';
import { requiredLine } from '../../shared/fields';
import { operatorNumberUpTo, operatorPage, parameter } from '../../shared/query';

/** `POST /operator/v1/suppliers/{code}/retry-errored/` */
export const retryBody = z.object({ error_code: requiredLine(128) });

const MAX_MINUTES = 1_440;

/** `GET /operator/v1/suppliers/{code}/rates/` */
export const ratesQuery = z.object({ minutes: operatorNumberUpTo(MAX_MINUTES) });

/** The platform account number, or the platform identifier in decimal. It is read by the handler. */
const number = parameter(z.string().optional(), { detail: 'Enter A- and eight of 0-9 and A-F, or a platform identifier.' });

/** `''` is "not given". */
const filter = z.string().optional();

/** `GET /operator/v1/suppliers/{code}/import-processes/` */
export const processesQuery = z.object({
  ...operatorPage.shape,
  status: parameter(z.enum([...STATUSES, '']).optional(), {
    detail: `Choose one of ${STATUSES.join(', ')}.`,
    means: { type: 'string', enum: STATUSES },
  }),
  number,
  prefix: filter,
  error_code: filter,
});

/** `GET /operator/v1/accounts/` */
export const accountsQuery = z.object({ ...operatorPage.shape, search: z.string().optional(), number });
