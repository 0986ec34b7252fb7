/**
 * The client's request types are the schemas' own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import { wireSchemas } from '../../scripts/kit/wire-schemas';
import { wireTypes } from '../../scripts/kit/wire-types';
import type * as wire from '../../src/kit/client/wire';

type Input<Name extends keyof typeof wireSchemas> = z.input<(typeof wireSchemas)[Name]>;

describe('client types', () => {
  it('are printed from the schemas: npm run build', () => {
    expect(readFileSync(join(import.meta.dirname, '../../src/kit/client/wire.ts'), 'utf8')).toBe(wireTypes(wireSchemas));
  });

  it('hold nothing that the schemas would not take', () => {
    expectTypeOf<wire.Account>().toExtend<Input<'Account'>>();
    expectTypeOf<wire.NotesRequest>().toExtend<Input<'NotesRequest'>>();
    expectTypeOf<wire.TransactionsRequest>().toExtend<Input<'TransactionsRequest'>>();
    expectTypeOf<wire.HistoricalStatementsRequest>().toExtend<Input<'HistoricalStatementsRequest'>>();
    expectTypeOf<wire.PaymentInstructionRequest>().toExtend<Input<'PaymentInstructionRequest'>>();
  });
});
