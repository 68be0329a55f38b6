/**
 * `npm run extension`: builds the extension for Visual Studio Code into `.vscode-extension/dist`, with the schemas of this version. In
 * that folder, `npx @vscode/vsce package --no-dependencies` makes a file of it that can be installed.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { installIn, runIn } from '../.ci/own-packages.ts';
import { schemaPaths } from '../scenarios/file-kinds.ts';

const folder = '.vscode-extension';
const dist = join(folder, 'dist');

installIn(folder);
runIn(folder, '../node_modules/typescript/bin/tsc', '--noEmit');
mkdirSync(dist, { recursive: true });
for (const schema of schemaPaths) copyFileSync(schema, join(dist, basename(schema)));
copyFileSync('LICENSE', join(folder, 'LICENSE'));
await build({
  entryPoints: [join(folder, 'extension.ts')],
  outfile: join(dist, 'extension.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
});
console.log(`the extension is in ${folder}`);
