/** Ends an exhaustive switch: a case that the types exclude is a bug, so it throws. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${typeof value === 'object' ? 'object' : String(value)}`);
}
