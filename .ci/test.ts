/**
 * `npm test`: unit and browser tests, with a sample of what is many of one kind, such as deviations, and without what takes long or needs
 * containers. What has passed and depends on nothing that has changed is not judged again, unless `--anew` stands there. With `--all`, as
 * `.ci/run` calls it: all of them, and every other gate. `npm test -- words`: what is in files whose paths, or whose titles of tests, hold
 * one of the words. The last line counts.
 */

import { loader } from '../fixtures/testing/loader.ts';
import { ScenarioFilesError } from '../scenarios/engine/basics/diagnostics.ts';
import { loadScenarios } from '../scenarios/engine/files/load.ts';
import { statedRules } from '../scenarios/oracle/rule-files.ts';
import { chosenTests } from './chosen-tests.ts';
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

/** Gates of a list one after the other, lists beside each other: much of what some do is waiting, or for one core. */
type Stage = readonly (readonly Gate[])[];

const isAll = process.argv.includes('--all');
const unit = [unitTests(isAll || process.argv.includes('--anew'))];

const everything: readonly Stage[] = [
  [[prerequisites]],
  [
    [
      commandGate('types', process.execPath, tool('typescript/bin/tsc'), '--noEmit'),
      ...['sim/console/page', 'reports/ui/page'].map((page) =>
        commandGate(`types of ${page}`, process.execPath, tool('typescript/bin/tsc'), '--noEmit', '-p', page),
      ),
    ],
    [commandGate('lint and format', process.execPath, tool('@biomejs/biome/bin/biome'), 'check', '.')],
    [commandGate('unused code', process.execPath, tool('knip/bin/knip.js'))],
    [commandGate('house', process.execPath, ...loader(), '.ci/code-figures.ts')],
  ],
  [[browserTests, soundness], unit],
  [
    [killTable, generatedTable],
    [containerTests, packageTests, commandGate('main job', process.execPath, '.ci/setup.mjs', 'start')],
  ],
];

const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const total = { passed: 0, failed: 0, skipped: 0 };
if (isAll) process.env.CSELAB_TESTS = 'all';
const compiled = compileSources();
readSharedFiles();
process.env.CSELAB_LOADER = await compiled;
for (const stage of isAll ? everything : [words.length > 0 ? [chosenTests(words)] : [[browserTests], unit]])
  await Promise.all(stage.map(inTurn));

/** Else each of the processes that begin together does it, which takes seconds of their processor's time. */
function readSharedFiles(): void {
  try {
    loadScenarios();
    for (const file of ['documented', 'gaps', 'onem2m'] as const) statedRules(file);
  } catch (error) {
    // The tests tell what is wrong with them.
    if (!(error instanceof ScenarioFilesError)) throw error;
  }
}

async function inTurn(gates: readonly Gate[]): Promise<void> {
  for (const gate of gates) await runGate(gate);
}

async function runGate(gate: Gate): Promise<void> {
  const start = performance.now();
  const { details, ...counts } = await gate.run();
  if (details !== '') console.log(`${details}\n`);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${gate.name}: ${line(counts)}, in ${seconds} s`);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}

if (!isAll && words.length === 0) {
  const long = longTestFiles();
  console.log(`left to .ci/run: ${long.length} files of tests that take long (*.long.*), containers, the other gates`);
}
console.log(line(total));
process.exitCode = total.failed > 0 ? 1 : 0;

function line({ passed, failed, skipped }: typeof total): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
