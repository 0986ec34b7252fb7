/**
 * The client's types of requests and answers are those of the schemas.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import { wireText } from '../../scripts/kit/wire';
import type { wireSchemas } from '../../scripts/kit/wire-schemas';
import type { EventData } from '../../src/events/types';
import type { EventData as ClientData } from '../../src/kit/client/answers';
import type * as wire from '../../src/kit/client/wire';

type Input<Name extends keyof typeof wireSchemas> = z.input<(typeof wireSchemas)[Name]>;

describe('client types', () => {
  it('are printed from the declared endpoints and the shapes of their answers: npm run build', () => {
    expect(readFileSync(join(import.meta.dirname, '../../src/kit/client/wire.ts'), 'utf8')).toBe(wireText());
  });

  it('hold nothing that the schemas would not take', () => {
    expectTypeOf<wire.Account>().toExtend<Input<'Account'>>();
    expectTypeOf<wire.NotesRequest>().toExtend<Input<'NotesRequest'>>();
    expectTypeOf<wire.TransactionsRequest>().toExtend<Input<'TransactionsRequest'>>();
    expectTypeOf<wire.HistoricalStatementsRequest>().toExtend<Input<'HistoricalStatementsRequest'>>();
    expectTypeOf<wire.PaymentInstructionRequest>().toExtend<Input<'PaymentInstructionRequest'>>();
  });

  it('name every event that the service reports', () => {
    expectTypeOf<keyof ClientData>().toEqualTypeOf<keyof EventData>();
  });
});
