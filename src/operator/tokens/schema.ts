import * as z from 'zod';
import { choice, requiredLine } from '../../shared/fields';
import { ROLES } from './rules';

/** `POST /operator/v1/operator-tokens/` */
export const operatorTokenBody = z.object({ name: requiredLine(64), role: choice(ROLES) });
