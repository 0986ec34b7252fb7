/** The pages of the reference and what is on each: operations by audience and topic. */
import { isJson, type Json } from '../json-schema';
import { type Listed, operationsOf } from './operations';

/** Who reads a page. Each has an OpenAPI document of its own. */
export const AUDIENCES = {
  importer: { title: 'For importers', slug: '' },
  platform: { title: 'For platform systems', slug: 'platform/' },
  operator: { title: 'For operators', slug: 'operator/' },
} as const;
export type Audience = keyof typeof AUDIENCES;
export const AUDIENCE_NAMES = ['importer', 'platform', 'operator'] as const satisfies readonly Audience[];

export interface Topic {
  readonly audience: Audience;
  readonly title: string;
  readonly about: string;
  /** Below `/docs/`, with its last slash. */
  readonly path: string;
  readonly operations: readonly Listed[];
}

/** The operator interface by the noun that its paths begin with; the first that fits. */
const OPERATOR_TOPICS: readonly (readonly [title: string, pattern: RegExp, about: string])[] = [
  ['Organisations and keys', /^(?:organisations|api-keys|operator-tokens)\//, 'Who may use the service, and by which keys.'],
  [
    'Imports',
    /^suppliers\/\{code\}\/(?:import-processes|errors|retry-errored|rates|refusals|runs)\//,
    'What became of each import, and what can be done about it.',
  ],
  ['Suppliers', /^suppliers\/(?:\{code\}\/)?$/, 'A supplier names what accounts are imported under, with its settings.'],
  ['Accounts', /^(?:accounts|suppliers\/\{code\}\/accounts)\//, 'Imported accounts, read whole from their rows.'],
  ['Running the service', /./, 'Queues, dead letters, alerts, restores and the audit.'],
];

const OPERATOR = '/operator/v1/';
const audienceOf = (path: string): Audience =>
  path.startsWith(OPERATOR) ? 'operator' : path.startsWith('/platform/') ? 'platform' : 'importer';

const slugOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/** Every topic that has an operation, in the order of the document. */
export function topicsOf(document: Json): Topic[] {
  const about = new Map(
    (Array.isArray(document['tags']) ? document['tags'] : []).flatMap((tag) =>
      isJson(tag) ? [[String(tag['name']), String(tag['description'])] as const] : [],
    ),
  );
  const titled = operationsOf(document).map((one) => {
    const audience = audienceOf(one.path);
    const below = one.path.slice(OPERATOR.length);
    const found = audience === 'operator' ? OPERATOR_TOPICS.find(([, pattern]) => pattern.test(below)) : undefined;
    const [tag] = Array.isArray(one.operation['tags']) ? one.operation['tags'] : [];
    const title = found ? found[0] : String(tag);
    return { one, audience, title, about: found ? found[2] : (about.get(title) ?? '') };
  });
  const groups = Map.groupBy(titled, ({ audience, title }) => `${AUDIENCES[audience].slug}${slugOf(title)}/`);
  const order = [...about.keys(), ...OPERATOR_TOPICS.map(([title]) => title)];
  return [...groups]
    .flatMap(([path, members]) =>
      members
        .slice(0, 1)
        .map(({ audience, title, about }): Topic => ({ audience, title, about, path, operations: members.map(({ one }) => one) })),
    )
    .toSorted((a, b) => order.indexOf(a.title) - order.indexOf(b.title));
}

/** The document of one audience: its operations, and what they refer to. */
export function documentFor(document: Json, audience: Audience): Json {
  const paths = Object.fromEntries(
    Object.entries(isJson(document['paths']) ? document['paths'] : {}).filter(([path]) => audienceOf(path) === audience),
  );
  const components = isJson(document['components']) ? document['components'] : {};
  const needed = new Set<string>();
  const look = (value: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (needed.has(reference)) continue;
      needed.add(reference);
      const [kind = '', name = ''] = reference.split('/');
      const group = components[kind];
      look((isJson(group) ? group[name] : undefined) ?? null);
    }
  };
  look(paths);
  const tags = new Set(
    Object.values(paths)
      .flatMap((item) => (isJson(item) ? Object.values(item) : []))
      .flatMap((operation) => (isJson(operation) && Array.isArray(operation['tags']) ? operation['tags'] : [])),
  );
  return {
    ...document,
    tags: (Array.isArray(document['tags']) ? document['tags'] : []).filter((tag) => isJson(tag) && tags.has(tag['name'])),
    paths,
    components: Object.fromEntries(
      Object.entries(components).map(([kind, group]) => [
        kind,
        isJson(group) && kind !== 'securitySchemes'
          ? Object.fromEntries(Object.entries(group).filter(([name]) => needed.has(`${kind}/${name}`)))
          : group,
      ]),
    ),
  };
}

/** The named shapes of a document. */
export const shapesOf = (document: Json): readonly (readonly [name: string, schema: unknown])[] => {
  const components = document['components'];
  const schemas = isJson(components) ? components['schemas'] : undefined;
  return isJson(schemas) ? Object.entries(schemas) : [];
};
