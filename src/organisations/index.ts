export { createApiKey, listApiKeys, readApiKey, revokeApiKey } from './api-keys';
export { createOrganisation, listOrganisations, readOrganisation, readOrganisations } from './organisations';
export type { ApiKeyRow, OrganisationRow } from './store';
