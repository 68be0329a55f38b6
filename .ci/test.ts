/**
 * `npm test`: unit and browser tests, with a sample of many similar cases, such as deviations, and without slow tests and those with
 * containers. Tests that passed and depend on no change are not run again, unless with `--anew`. `--all`, for `.ci/run`: all tests, and
 * every other gate. `npm test -- words`: the test files whose path, or else text, contains one of the words. The last line counts.
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

/** The gates of a list run in turn, the lists in parallel: some mostly wait, or use one core. */
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
    [commandGate('code figures', process.execPath, ...loader(), '.ci/code-figures.ts')],
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

/** Otherwise each of the first processes reads them, which takes seconds of CPU time. */
function readSharedFiles(): void {
  try {
    loadScenarios();
    for (const file of ['documented', 'gaps', 'onem2m'] as const) statedRules(file);
  } catch (error) {
    // The tests report what is wrong with them.
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
  console.log(`left to .ci/run: ${long.length} slow test files (*.long.*), containers, the other gates`);
}
console.log(line(total));
process.exitCode = total.failed > 0 ? 1 : 0;

function line({ passed, failed, skipped }: typeof total): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
