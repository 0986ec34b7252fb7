export { authenticatePlatform } from './authenticate';
