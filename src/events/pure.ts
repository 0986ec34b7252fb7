export { EVENT_TYPES } from './types';
