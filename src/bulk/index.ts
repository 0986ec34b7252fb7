export { Answered, SliceAnswers } from './answers';
export { type BulkEnd, type BulkWork, bulkAnswers, type Decided, TOO_MANY_LINES } from './bulk';
export { type Line, linesOf } from './lines';
export { type BodySource, sourceOf } from './source';
export { Turns } from './turns';
