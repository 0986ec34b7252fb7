/**
 * What every deployment gives its importers at `/tools/`: the command line as one file, the client as a package, a Postman
 * collection, and their SHA-256. Written to `public/tools` by `npm run build`; equal sources give equal bytes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { postmanCollection } from './postman.ts';
import { tarOf } from './tar.ts';

const TARGET = 'public/tools';

interface Manifest {
  readonly version: string;
  readonly engines: Readonly<Record<string, string>>;
}

interface Tool {
  readonly name: string;
  readonly what: string;
  readonly sha256: string;
}

/** Once `dist` is built. */
export function writeTools() {
  const { version, engines }: Pick<Manifest, 'version' | 'engines'> = JSON.parse(readFileSync('package.json', 'utf8'));
  const given: [name: string, bytes: Buffer, what: string][] = [
    ['data-import.mjs', readFileSync('dist/cli/data-import.js'), 'The command line: one file, for Node 20 and later.'],
    [
      'data-import-client.tgz',
      clientPackage(version, engines),
      'The typed client for Node and Workers, as a package without dependencies.',
    ],
    [
      'data-import.postman_collection.json',
      Buffer.from(`${JSON.stringify(postmanCollection(JSON.parse(readFileSync('public/openapi.json', 'utf8'))), null, 2)}\n`),
      'Every request of an importer, for Postman.',
    ],
  ];
  const files = given.map(([name, bytes, what]) => ({ name, bytes, what, sha256: createHash('sha256').update(bytes).digest('hex') }));
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(TARGET, { recursive: true });
  for (const { name, bytes } of files) writeFileSync(`${TARGET}/${name}`, bytes);
  writeFileSync(`${TARGET}/SHA256SUMS`, files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  writeFileSync(`${TARGET}/index.html`, page(version, files));
}

function clientPackage(version: string, engines: Manifest['engines']): Buffer {
  const manifest = {
    name: 'data-import-client',
    version,
    description: 'The client of the Account Data-Import Service, for Node and Workers.',
    type: 'module',
    license: 'UNLICENSED',
    engines,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  };
  const files = readdirSync('dist/client')
    .sort()
    .map((name): [string, Buffer] => [`package/${name}`, readFileSync(`dist/client/${name}`)]);
  return gzipSync(tarOf([['package/package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)], ...files]), { level: 9 });
}

/** `{origin}` is where the page is read from: the service puts it in. */
const page = (version: string, files: readonly Tool[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<title>Tools · Account Data-Import Service</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body class="alone">
<header class="top"><a class="brand" href="/docs/"><img src="/favicon.ico" alt="" width="24" height="24">Account Data-Import Service</a></header>
<main>
<h1>Tools</h1>
<p>What an importer works with, in version ${version}, from the service itself. <a href="/docs/">The reference</a> says what each request does, and <a href="/docs/guides/tools/">a guide</a> how to use these.</p>
<ul>
${files.map(({ name, what, sha256 }) => `<li><p><a href="/tools/${name}" download>${name}</a>: ${what}<br>SHA-256 <code>${sha256}</code></p></li>`).join('\n')}
</ul>
<h2>The command line</h2>
<pre tabindex="0"><code>curl -fsS -O {origin}/tools/data-import.mjs
curl -fsS {origin}/tools/SHA256SUMS | sha256sum --check --ignore-missing
node data-import.mjs login --url {origin}
node data-import.mjs import accounts.ndjson</code></pre>
<h2>The client</h2>
<pre tabindex="0"><code>npm install {origin}/tools/data-import-client.tgz</code></pre>
<pre tabindex="0"><code>import { DataImportClient } from 'data-import-client';
const client = new DataImportClient({ baseUrl: '{origin}', apiKey });</code></pre>
</main>
</body>
</html>
`;
