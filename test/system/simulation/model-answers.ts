/**
 * What must be true of the answers themselves, whatever failed on the way.
 */
import { isSure, ofKind, type Pair, type Sent } from './record';

/** Codes a create may be refused with. */
const REFUSALS = new Set([
  'import_process_failed_validation',
  'account_import_process_in_progress',
  'account_import_process_already_imported',
]);

/** `mayBeRefused`: the supplier was not Ongoing all the time while the request was under way. */
export function checkAnswers(
  pair: Pair,
  sent: readonly Sent[],
  mayBeRefused: (one: Sent) => boolean,
  accountNumber: string | null | undefined,
): string[] {
  const knownImported = Math.min(...sent.filter(isImportedAnswer).map(({ endedAt }) => endedAt));
  const knownStaged = Math.min(
    ...ofKind(sent, 'create')
      .filter(isSure)
      .map(({ endedAt }) => endedAt),
  );
  return sent.flatMap((one) => {
    const label = `${one.asked.kind} ${pair.supplierCode}/${pair.number} of moment ${one.startedAt} was answered ${one.status}`;
    if (one.status === undefined || one.status >= 500) return [];
    // Whether its key was revoked is asked for each request with a token.
    if (one.status === 401) return [];
    if (one.status === 429) return [label];
    const isLate = one.startedAt > knownImported;
    if (one.asked.kind === 'status') return checkStatus(one, isLate, one.startedAt > knownStaged, label);
    if (one.status === 404) return isLate || one.asked.kind === 'create' ? [label] : [];
    if (one.asked.kind === 'create')
      return [...checkCreate(one, isLate, mayBeRefused(one), accountNumber, label), ...checkConflict(one, sent, label)];
    const mayConflict = one.asked.kind === 'statements' || one.asked.kind === 'instruction';
    return one.status === 400 && !mayBeRefused(one) && !mayConflict ? [`${label} for no reason: ${JSON.stringify(one.body)}`] : [];
  });
}

/** An addition that was taken, or an answer that says so, shows that the account is there. */
const isImportedAnswer = ({ asked, status, body }: Sent): boolean => {
  if (asked.kind === 'create') return status === 400 && codeOf(body) === 'account_import_process_already_imported';
  if (asked.kind === 'status') return status === 200 && fieldOf(body, 'status') === 'PROCESSED';
  return status === 201;
};

function checkStatus({ status, body }: Sent, isLate: boolean, isStaged: boolean, label: string): string[] {
  if (status === 404) return isStaged ? [label] : [];
  return isLate && fieldOf(body, 'status') !== 'PROCESSED' ? [`${label} ${String(fieldOf(body, 'status'))} once it was PROCESSED`] : [];
}

function checkCreate(one: Sent, isLate: boolean, mayBeRefused: boolean, accountNumber: string | null | undefined, label: string): string[] {
  if (one.status === 201) return isLate ? [`${label} once it was PROCESSED`] : [];
  const code = codeOf(one.body);
  if (!REFUSALS.has(code)) return [`${label} ${code}`];
  if (code === 'account_import_process_already_imported' && fieldOf(one.body, 'account_id') !== accountNumber)
    return [`${label} with another number`];
  const payload = one.asked.kind === 'create' ? one.asked.payload : undefined;
  const hasReason = mayBeRefused || payload?.document !== undefined || payload?.windowEnd !== undefined;
  return code === 'import_process_failed_validation' && !hasReason ? [`${label} ${code} for no reason`] : [];
}

/** Only another account can be in the way of a create: the same one, in whatever form, is answered that it is scheduled. */
function checkConflict(one: Sent, sent: readonly Sent[], label: string): string[] {
  const { asked } = one;
  if (asked.kind !== 'create' || one.status !== 400 || codeOf(one.body) !== 'account_import_process_in_progress') return [];
  const others = ofKind(sent, 'create').filter(({ asked: { payload }, startedAt }) => {
    return payload.version !== asked.payload.version && startedAt <= one.endedAt;
  });
  return others.length > 0 ? [] : [`${label} IN_PROGRESS although nothing else was ever sent for it`];
}

const fieldOf = (body: unknown, name: string): unknown => (typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined);

const codeOf = (body: unknown): string => String(fieldOf(body, 'code') ?? fieldOf(fieldOf(body, 'non_field_errors'), 'code'));
