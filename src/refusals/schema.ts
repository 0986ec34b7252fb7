import * as z from 'zod';
import { operatorNumberUpTo } from '../shared/query';
import { RETENTION_MINUTES } from './rules';

/** `GET /operator/v1/suppliers/{code}/refusals/` */
export const refusalsQuery = z.object({ minutes: operatorNumberUpTo(RETENTION_MINUTES) });
