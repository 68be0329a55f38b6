/** `npm run build`: what the package consists of, in dist/: JavaScript with its types and source maps, and the files that are data. */
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

/** Everything in these places that is data: scenario, target and tree files, settings, certificates, styles and schemas. */
const dataFolders = ['certs', 'fixtures', 'reports', 'scenarios', 'sim'];
const isData =
  /\.(yaml|json|pem|css|template)$|^reports\/html\/page\.js$|^sim\/web\/(page\.html|icon\.svg)$|^fixtures\/containers\/Dockerfile/;
/** What a user has no need of. */
const excluded = /^fixtures\/(bench|dashboard|deployed-config)\/|^reports\/latest\/|\/testing\/|\/tsconfig\.json$/;

rmSync(out, { recursive: true, force: true });
const { code, output } = await execute(process.execPath, [
  'node_modules/typescript/bin/tsc',
  '-p',
  '.ci/tsconfig.build.json',
]);
if (code !== 0) throw new Error(`tsc failed:\n${output}`);
// An editor offers the id of each written deviation.
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
// What npm links to when it installs is started as it is after each build, too.
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
 * For who requires a door: Node can, and who cannot, such as Jest, is told what to do. Bundlers and TypeScript do not know the condition
 * `node-addons`, and go past it.
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

/** Modules in dist/ find beside them what those of the sources find beside them: what the package is called, and its version. */
function packageJsonOf(path: string): string {
  const { name, version, type } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return `${JSON.stringify({ name, version, type }, null, 2)}\n`;
}
