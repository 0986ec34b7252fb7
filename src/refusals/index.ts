export { GatheredRefusals, noteRefusals } from './count';
export {
  forgetOldRefusals,
  REFUSAL_MINUTES,
  type RefusalSummary,
  readAllRefused,
  readRefusals,
  readRefusalsOfRun,
  readRefused,
} from './read';
export { OTHERS, type Refusal, type RefusalCount, refusalOf } from './rules';
export { refusalLines } from './views';
