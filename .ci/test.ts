/**
 * `npm test`: unit and browser tests, with a sample of what is many of one kind, such as faults, and without what takes long or needs
 * containers. With `--all`, as `.ci/run` calls it: all of them, and every other gate. The last line counts.
 */

import { loader } from '../fixtures/testing/loader.ts';
import { compileSources } from './compiled.ts';
import {
  browserTests,
  commandGate,
  containerTests,
  type Gate,
  killTable,
  packageTests,
  prerequisites,
  unitTests,
} from './gates.ts';
import { generatedTable, soundness } from './generated-gates.ts';
import { longTestFiles } from './test-files.ts';

const tool = (path: string) => `node_modules/${path}`;

/** Those of a list at the same time, since much of either is waiting. */
const tests: readonly (readonly Gate[])[] = [[browserTests, unitTests]];

/** One after the other; those of one list together. */
const everything: readonly (readonly Gate[])[] = [
  [prerequisites],
  [commandGate('types', process.execPath, tool('typescript/bin/tsc'), '--noEmit')],
  [commandGate('lint and format', process.execPath, tool('@biomejs/biome/bin/biome'), 'check', '.')],
  [commandGate('unused code', process.execPath, tool('knip/bin/knip.js'))],
  [commandGate('house', process.execPath, ...loader(), '.ci/house.ts')],
  ...tests,
  [containerTests],
  [killTable],
  [soundness, generatedTable],
  [packageTests],
  [commandGate('main job', process.execPath, '.ci/setup.mjs', 'start')],
];

const isAll = process.argv.includes('--all');
const total = { passed: 0, failed: 0, skipped: 0 };
if (isAll) process.env.CSELAB_TESTS = 'all';
process.env.CSELAB_LOADER = await compileSources();
for (const gates of isAll ? everything : tests) await Promise.all(gates.map(told));

async function told(gate: Gate): Promise<void> {
  const start = performance.now();
  const { details, ...counts } = await gate.run();
  if (details !== '') console.log(`${details}\n`);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${gate.name}: ${line(counts)}, in ${seconds} s`);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}

if (!isAll) {
  const long = longTestFiles();
  console.log(`left to .ci/run: ${long.length} files of tests that take long (*.long.*), containers, the other gates`);
}
console.log(line(total));
process.exitCode = total.failed > 0 ? 1 : 0;

function line({ passed, failed, skipped }: typeof total): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
