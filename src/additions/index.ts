export { type Attempt, addToAccount, type Refusal } from './add';
export { additionsInBulk } from './bulk';
export type { AddsInBulk, LineAnswer } from './bulk-line';
export { type Addition, addOne } from './request';
