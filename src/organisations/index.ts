export { createApiKey, findApiKeys, listApiKeys, readApiKey, revokeApiKey } from './api-keys';
export { createOrganisation, listOrganisations, readOrganisation, readOrganisations } from './organisations';
export type { ApiKeyRow, FoundKeyRow, OrganisationRow } from './store';
