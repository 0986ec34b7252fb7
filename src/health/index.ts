export { epochWanted, intakeOf } from './intake';
export { readRoom, warnOfRoom } from './room';
export { DATABASE_LIMIT_BYTES, type Room } from './rules';
export { beat, lastBeat, latestRestore } from './store';
