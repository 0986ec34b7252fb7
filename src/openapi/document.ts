/**
 * The OpenAPI 3.1 document, built from the zod schemas that judge requests and from the descriptions of the operations.
 * `npm run openapi` writes it to `public/`; a test shows that it is fresh.
 */
import type * as z from 'zod';
import { meterPointItem } from '../accounts/payload/schema-supply';
import { accountBody } from '../accounts/schema';
import { documentsBody } from '../documents/schema';
import { noteItem, notesBody } from '../notes/schema';
import { paymentInstructionBody } from '../payment-instructions/schema';
import { statementItem, statementsBody } from '../statements/schema';
import { transactionItem, transactionsBody } from '../transactions/schema';
import * as answer from './answers';
import { document as storedDocument } from './answers-documents';
import * as operatorAnswer from './answers-operator';
import * as readingAnswer from './answers-reading';
import { DOCUMENT_FIELDS, FIELDS, OPERATOR_FIELDS, TAX_FIELDS, type Words } from './fields';
import { Components, type Json, type Side } from './json-schema';
import { type Answer, COMMON_ANSWERS, type Content, type Operation, type Parameter } from './operation';
import { ACCOUNT_READING_OPERATIONS } from './operations-account-reading';
import { ACCOUNT_OPERATIONS } from './operations-accounts';
import { DATA_OPERATIONS } from './operations-data';
import { DOCUMENT_OPERATIONS } from './operations-documents';
import { LIST_OPERATIONS } from './operations-lists';
import { OPEN_OPERATIONS } from './operations-open';
import { OPERATOR_OPERATIONS } from './operations-operator';
import { OPERATOR_PROCESS_OPERATIONS } from './operations-operator-processes';
import { PLATFORM_OPERATIONS } from './operations-platform';
import { PROGRESS_OPERATIONS } from './operations-progress';
import { PATH_PARAMETERS } from './path-parameters';

/** In the order of the README. */
export const OPERATIONS: readonly Operation[] = [
  ...DATA_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...LIST_OPERATIONS,
  ...PROGRESS_OPERATIONS,
  ...DOCUMENT_OPERATIONS,
  ...OPEN_OPERATIONS,
  ...OPERATOR_OPERATIONS,
  ...OPERATOR_PROCESS_OPERATIONS,
  ...ACCOUNT_READING_OPERATIONS,
  ...PLATFORM_OPERATIONS,
];

const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Tokens', description: 'From the API key of an organisation to a token for everything else.' },
  { name: 'Accounts', description: 'An account is validated, scheduled and watched until it is processed.' },
  { name: 'Account data', description: 'What is added to an account once it is imported. Every payload must name an Ongoing supplier.' },
  { name: 'Documents', description: 'Files that notes and statements point to: which are there, and how they get there.' },
  { name: 'Lists', description: 'What a supplier has staged and imported.' },
  { name: 'Operator', description: 'Organisations, keys, suppliers and import processes, for the operator of the platform.' },
  { name: 'Platform', description: 'Imported accounts whole, for systems of the platform that copy them.' },
  { name: 'Service', description: 'Health and documentation.' },
];

const INTRODUCTION = `An importer hands over accounts; each becomes an import process that is turned into an account, once and only once. Then notes, transactions, statements and payment instructions are added to it. The command line, a typed client and a Postman collection are at [/tools/](/tools/).

- Every path also answers without its last slash. Where GET is answered, so is HEAD.
- An optional field may be absent, \`null\` or, where it is text, \`''\`: all three mean "not given".
- Undocumented fields are accepted, stored with the object they came in, to the last \`null\`, and not echoed; they may gain a meaning, so send documented ones only. Bulk lists them as \`warnings\`, and so does validate with \`?warnings=true\`.
- Numbers are read as their JSON text says them: what a double cannot give back is refused at its place (\`max_digits\`, \`invalid\`), never rounded.
- Datetimes without an offset are UTC. Decimals may be sent as numbers or strings.
- All errors of a payload come at once, up to 1,000. Logic belongs to \`code\`, never to \`detail\`.
- Limits: a body holds at most 1 MiB, an organisation sends at most 20,000 requests in 10 seconds.`;

const HEADERS: Readonly<Record<string, { description: string; schema: Json }>> = {
  'X-Request-Id': {
    description: "The caller's own, where it has 1 to 128 letters, digits, dots, dashes or underscores; else ours.",
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which to ask again.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate: `Token`, at the operator interface `Bearer`.', schema: { type: 'string' } },
  'Content-Disposition': { description: 'Under which name to save it.', schema: { type: 'string' } },
  Link: { description: '`<…>; rel="next"`: the next page, where there is one.', schema: { type: 'string' } },
};

/** Named shapes, inner ones first. */
const SENT: readonly (readonly [name: string, schema: z.ZodType, words?: Words])[] = [
  ['LineItem', transactionItem.shape.line_items.unwrap().unwrap().element],
  ['TaxItem', transactionItem.shape.tax_items.unwrap().unwrap().element, TAX_FIELDS],
  ['Transaction', transactionItem],
  ['Note', noteItem],
  ['Statement', statementItem],
  ['Address', accountBody.shape.billing_address.unwrap().unwrap()],
  ['MeterPoint', meterPointItem],
  ['SupplyAddress', accountBody.shape.supply_addresses.unwrap().unwrap().element],
  ['Customer', accountBody.shape.customers.unwrap().unwrap().element],
  ['Ledger', accountBody.shape.ledgers.unwrap().unwrap().element],
  ['TaskParams', accountBody.shape.task_params.unwrap().unwrap()],
  ['Account', accountBody],
  ['NewNotes', notesBody],
  ['NewTransactions', transactionsBody],
  ['NewStatements', statementsBody],
  ['NewPaymentInstruction', paymentInstructionBody],
  ['DocumentsToCheck', documentsBody, DOCUMENT_FIELDS],
];
const ANSWERED: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ['Problem', answer.problem],
  ['ServerError', answer.serverError],
  ['ErrorItem', answer.errorItem],
  ['ValidationError', answer.validationError],
  ['AccountFailedValidation', answer.accountFailedValidation],
  ['AccountValidated', answer.validated],
  ['ImportProcessError', answer.importProcessError],
  ['AlreadyImported', answer.alreadyImported],
  ['TransactionImportError', answer.transactionImportError],
  ['PaymentInstructionError', answer.paymentInstructionError],
  ['VendorUnavailable', answer.vendorUnavailable],
  ['NoteResults', answer.noteResults],
  ['TransactionResults', answer.transactionResults],
  ['ImportProcess', answer.importProcess],
  ['TransferStatus', answer.transferStatus],
  ['Document', storedDocument],
  ['AccountImportSummaries', answer.summaries],
  ['GraphqlAnswer', answer.graphqlAnswer],
  ['Organisation', operatorAnswer.organisation],
  ['Supplier', operatorAnswer.supplier],
  ['OperatorImportProcess', operatorAnswer.process],
  ['WholeAccount', readingAnswer.wholeAccount],
  ['SupportAccount', readingAnswer.supportAccount],
];

export function openapiDocument(): Json {
  const components = new Components();
  for (const [name, schema, words] of SENT) components.add(name, schema, 'sent', words);
  for (const [name, schema] of ANSWERED) components.add(name, schema, 'answered');
  const paths: Json = {};
  for (const operation of OPERATIONS) {
    const others = paths[operation.path] ?? {};
    paths[operation.path] = { ...others, [operation.method]: operationOf(operation, components) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Account Data-Import Service',
      version: '1.0.0',
      summary: 'REST APIs that migrate customer accounts onto a platform.',
      description: INTRODUCTION,
      license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    tags: TAGS.filter(({ name }) => OPERATIONS.some(({ tag }) => tag === name)),
    paths,
    components: {
      schemas: components.schemas,
      responses: Object.fromEntries(Object.entries(COMMON_ANSWERS).map(([name, one]) => [name, answerOf(one, components)])),
      headers: HEADERS,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: '`Authorization: Token <token>`, `Bearer <token>`, or the bare token.',
        },
        operatorToken: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer <OPERATOR_TOKEN>`, for the operator of the platform only.',
        },
        platformToken: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer <PLATFORM_TOKEN>`, for systems of the platform; it only reads.',
        },
      },
    },
  };
}

const SECURITY = { importer: [{ token: [] }], operator: [{ operatorToken: [] }], platform: [{ platformToken: [] }], open: [] };

function operationOf(operation: Operation, components: Components): Json {
  const { id, tag, section, summary, description, access, body, answers } = operation;
  const parameters = [
    ...pathParameters(operation.path),
    ...(operation.query ?? []).map((one) => parameterOf('query', one, components)),
    ...(operation.headers ?? []).map((one) => parameterOf('header', one, components)),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: section === undefined ? description : `${description} (§${section})`,
    security: SECURITY[access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: contentOf(body, 'sent', components, access === 'operator' ? OPERATOR_FIELDS : FIELDS) } }
      : {}),
    responses: Object.fromEntries(Object.entries(answers).map(([status, one]) => [status, referenceOf(one) ?? answerOf(one, components)])),
  };
}

function referenceOf(answer: Answer): Json | undefined {
  const name = Object.keys(COMMON_ANSWERS).find((common) => COMMON_ANSWERS[common] === answer);
  return name === undefined ? undefined : { $ref: `#/components/responses/${name}` };
}

const pathParameters = (path: string): Json[] => {
  const segments = path.split('/');
  return segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return [];
    const said = PATH_PARAMETERS[name] ?? PATH_PARAMETERS[segments[index - 1] ?? ''];
    return [{ name, in: 'path', required: true, ...said, schema: { type: 'string', minLength: 1 } }];
  });
};

const parameterOf = (
  place: 'query' | 'header',
  { name, description, schema, example, isRequired }: Parameter,
  components: Components,
): Json => ({
  name,
  in: place,
  ...(isRequired ? { required: true } : {}),
  description,
  schema: components.schemaOf(schema, 'sent'),
  ...(example === undefined ? {} : { example }),
});

function answerOf({ description, headers = [], schemas, examples, mediaType }: Answer, components: Components): Json {
  const content = schemas
    ? { content: contentOf({ schemas, ...(examples ? { examples } : {}), ...(mediaType ? { mediaType } : {}) }, 'answered', components) }
    : {};
  const named = ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, headers: Object.fromEntries(named), ...content };
}

function contentOf(content: Content, side: Side, components: Components, words?: Words): Json {
  const { mediaType = 'application/json', otherMediaTypes = [], schemas, examples } = content;
  const shapes = schemas.map((schema) => components.schemaOf(schema, side, words));
  const one = { schema: shapes.length === 1 ? shapes[0] : { anyOf: shapes }, ...(examples ? { examples } : {}) };
  return Object.fromEntries([mediaType, ...otherMediaTypes].map((type) => [type, one]));
}
