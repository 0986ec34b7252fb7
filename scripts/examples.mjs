/**
 * The lines that `npm start` prints: from the API key to an imported account, each as it can be pasted into a shell.
 */
import { DEMO } from './local.mjs';

export function examples(url, apiKey) {
  const number = `ACC-${new Date().toISOString().replace(/\D/g, '').slice(2, 14)}`;
  const json = (value) => JSON.stringify(value);
  const account = (landline) =>
    json({
      import_supplier: DEMO.supplier,
      external_account_number: number,
      customers: [{ given_name: 'Ada', family_name: 'Byron', landline }],
    });
  const post = (path, body) =>
    `curl -s -w ' %{http_code}\\n' "$BASE${path}" -H "Authorization: Token $TOKEN" -H 'Content-Type: application/json' -d '${body}'`;
  const mutation = json({ query: `mutation { obtainPlatformToken(input: {APIKey: "${apiKey}"}) { token } }` });
  const status = `curl -s "$BASE/v2/data-import/accounts/${DEMO.supplier}/${number}/" -H "Authorization: Token $TOKEN"`;
  return `
The service answers at ${url}   stop it with Ctrl-C
reference  ${url}/docs/
console    ${url}/operator/   sign in with OPERATOR_TOKEN of .dev.vars

# 1. A token for the demo organisation
BASE=${url}
TOKEN=$(curl -s "$BASE/v1/graphql/" -H 'Content-Type: application/json' -d '${mutation}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')

# 2. Validate: 200 {}
${post('/v2/data-import/accounts/validate/', account('020 7946 0018'))}

# 3. Validate again, wrong on purpose: 400, customers.0.landline, invalid_phone_number
${post('/v2/data-import/accounts/validate/', account('12'))}

# 4. Create: 201 {}
${post('/v2/data-import/accounts/', account('020 7946 0018'))}

# 5. Its status, until it is PROCESSED
until ${status} | tee /dev/stderr | grep -q '"status":"PROCESSED"'; do sleep 1; echo; done; echo

# 6. Create again: 400, already imported
${post('/v2/data-import/accounts/', account('020 7946 0018'))}

# 200 varied accounts with a progress bar, from another terminal
npm run demo
`;
}
