/** `npm run --silent api-key`: the API key of the demo organisation, for a shell: `API_KEY=$(npm run --silent api-key)`. */
import { readLocal, stop } from './local.ts';

console.log(readLocal().apiKey ?? stop('There is no key yet: npm start makes it.'));
