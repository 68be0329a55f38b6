/** `npm run build`: writes the package into dist/: JavaScript with types and source maps, and data files. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writtenDeviations } from '../sim/index.ts';
import { pageScript } from '../sim/web/page-server.ts';
import { bundleForBrowser } from './browser-bundle.ts';
import { keepDeclarationsOf } from './declarations.ts';
import { entryDeclarations } from './entry-points.ts';
import { execute } from './execute.ts';

const out = 'dist';

/** All data in these folders: scenario, target and tree files, settings, certificates, styles and schemas. */
const dataFolders = ['certs', 'fixtures', 'reports', 'scenarios', 'sim'];
const isData =
  /\.(yaml|json|pem|css|template)$|^reports\/html\/page\.js$|^sim\/web\/(page\.html|icon\.svg)$|^fixtures\/containers\/Dockerfile/;
/** Not needed by users. */
const excluded = /^fixtures\/(bench|dashboard|deployed-config)\/|^reports\/latest\/|\/testing\/|\/tsconfig\.json$/;

rmSync(out, { recursive: true, force: true });
const { code, output } = await execute(process.execPath, [
  'node_modules/typescript/bin/tsc',
  '-p',
  '.ci/tsconfig.build.json',
]);
if (code !== 0) throw new Error(`tsc failed:\n${output}`);
// Editors then complete the ids of written deviations.
const ids = writtenDeviations().map(({ id }) => `'${id}'`);
rewrite(join(out, 'sim/deviations/applying.d.ts'), (text) =>
  text.replace(/(?<=type DeviationId = )string/, ids.join(' | ')),
);
keepDeclarationsOf(Object.values(entryDeclarations), out);
await bundleForBrowser(join(out, 'browser', 'msw.js'));
for (const file of dataFolders.flatMap(dataIn)) cpSync(file, join(out, file));
for (const page of ['sim/console/page', 'reports/ui/page'])
  writeFileSync(join(out, page, 'app.js'), await pageScript(pathToFileURL(join(page, 'app.tsx'))));
mkdirSync(join(out, 'required'));
for (const [entry, types] of Object.entries(entryDeclarations))
  writeFileSync(join(out, 'required', `${basename(entry)}.cjs`), requireShim(types.replace('./dist', '..')));
writeFileSync(join(out, 'package.json'), packageJsonOf('package.json'));
rewrite(join(out, 'cli.js'), (text) => `#!/usr/bin/env node\n${text}`);
// npm links to it when it installs; it is to be executable after each build, too.
chmodSync(join(out, 'cli.js'), 0o755);

function dataIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => isData.test(file) && !excluded.test(file));
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/**
 * For those who `require` an entry point: Node can, and others, such as Jest, are told what to do. Bundlers and TypeScript do not know
 * the condition `node-addons`, and ignore it.
 */
function requireShim(types: string): string {
  const remedy = "Give Jest NODE_OPTIONS=--experimental-vm-modules, and before Node 24.9 take await import('cselab')";
  return `try {
  module.exports = require('${types.replace('.d.ts', '.js')}');
} catch (error) {
  if (error.code !== 'ERR_REQUIRE_ESM' && error.name !== 'SyntaxError') throw error;
  throw new Error("cselab consists of ECMAScript modules. ${remedy}");
}
`;
}

/** Name and version of the package, which modules in dist/ read beside them, as those of the sources do. */
function packageJsonOf(path: string): string {
  const { name, version, type } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return `${JSON.stringify({ name, version, type }, null, 2)}\n`;
}
