/** What needs no platform. The wire and rules of other rooms enter here. */
export { STATUSES } from './machine';
