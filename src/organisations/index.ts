export { createApiKey, listApiKeys, revokeApiKey } from './api-keys';
export { createOrganisation, listOrganisations, readOrganisation } from './organisations';
export type { ApiKeyRow, OrganisationRow } from './store';
