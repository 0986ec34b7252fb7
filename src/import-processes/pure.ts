/** The door to what needs no platform. */
export { STATUSES } from './machine';
