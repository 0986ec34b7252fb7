import { describe, expect, it } from 'vitest';
import { lineReader, sumOf, withoutColours } from '../../scripts/start/output';

const kindsOf = (...lines: string[]): string[] => {
  const read = lineReader();
  return lines.map((line) => read(line).kind);
};

describe('the output of wrangler', () => {
  it.each([
    ['[wrangler:info] POST /v2/data-import/accounts/ 201 Created (40ms)', { kind: 'request', status: 201, milliseconds: 40 }],
    ['[wrangler:info] GET /operator/v1/queue/ 200 OK (3ms)', { kind: 'request', status: 200, milliseconds: 3 }],
    ['[wrangler:info] GET /v1/nothing 404 Not Found (1ms)', { kind: 'request', status: 404, milliseconds: 1 }],
    ['[wrangler:info] GET /healthz 200 OK (1119ms)', { kind: 'other' }],
    ['[wrangler:info] GET /cdn-cgi/local/scheduled 200 OK (9ms)', { kind: 'other' }],
    ['[wrangler:info] GET /operator/ 200 OK (9ms)', { kind: 'other' }],
    ['[wrangler:info] QUEUE account-imports 4/4 (31ms)', { kind: 'other' }],
    ['⎔ Reloading local server...', { kind: 'other' }],
    ['✘ [ERROR] Build failed with 1 error:', { kind: 'failure' }],
    ['{"level":"error","event":"request_failed","cause":"Error"}', { kind: 'failure' }],
    ['{"level":"info","event":"swept"}', { kind: 'other' }],
  ])('%s', (line, meaning) => {
    expect(lineReader()(line)).toEqual(meaning);
  });

  it('shows a failure to its last line, and nothing after it', () => {
    expect(
      kindsOf(
        '⎔ Reloading local server...',
        '✘ [ERROR] Build failed',
        '',
        '    src/worker.ts:5:6:',
        '      5 │ const =',
        '⎔ Reloading',
        'x',
      ),
    ).toEqual(['other', 'failure', 'failure', 'failure', 'failure', 'other', 'other']);
    expect(kindsOf('Uncaught Error: x', '    at y', '[wrangler:info] GET /docs/ 200 OK (1ms)', 'x')).toEqual([
      'failure',
      'failure',
      'request',
      'other',
    ]);
  });

  it('is read without its colours', () => {
    expect(withoutColours('\u001b[33m▲ \u001b[43;33m[\u001b[43;30mWARNING\u001b[0m')).toBe('▲ [WARNING');
  });
});

it('sums requests by status, with the slowest', () => {
  const of = (status: number, milliseconds: number) => ({ status, milliseconds });
  expect(sumOf([of(201, 5)])).toBe('1 request: 1 × 201; slowest 5 ms');
  expect(sumOf([of(201, 5), of(200, 7), of(201, 40), of(503, 1)])).toBe('4 requests: 1 × 200, 2 × 201, 1 × 503; slowest 40 ms');
});
