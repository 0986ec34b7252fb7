export { type Attempt, addToAccount, type Refusal } from './add';
