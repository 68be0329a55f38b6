/** `cselab lint`: what is wrong with files that people wrote, before anything runs. */

import { renderProblem } from '../../scenarios/engine/basics/diagnostics.ts';
import { lint } from '../../scenarios/lint.ts';
import { command } from '../../sim/command-line/flag.ts';
import { counted, visibleLines } from '../facts/wording.ts';
import { json } from '../flags/common-flags.ts';
import { io } from '../writing/io.ts';
import { print, printJson } from '../writing/output-file.ts';
import { LineProgress } from '../writing/progress.ts';

const examples = `
Scenario, requirement, target and baseline files are told apart by what is in them. Nothing is sent.
Exit codes: 0 nothing is wrong, 2 something is.

Examples:
  cselab lint                          every such file below this directory, or else the project's own
  cselab lint my-scenario.yaml known.yaml
  cselab lint gateways/ --json         for editors and scripts`;

export const define = command({
  says: 'look for mistakes in scenario, requirement, target and baseline files',
  takes: [['[files...]', 'files or directories; when there is none, what lies below this directory']],
  flags: { '': { json: json.saying('as JSON: the files, and each problem with its place') } },
  examples,
  run: (files, { json = false }) => runLint(files, json),
});

function runLint(paths: readonly string[], json: boolean): number {
  const lines = new LineProgress(io().stderr);
  const found = json ? lint(paths) : lint(paths, (done, of) => lines.counting(done, of, 'scenario files'));
  const { files, problems } = found;
  if (json) printJson(found);
  else {
    lines.end();
    for (const one of problems) print(...visibleLines(renderProblem(one)), '');
    print(`${counted(files.length, 'file')} looked at, ${counted(problems.length, 'problem')}`);
  }
  return problems.length > 0 ? 2 : 0;
}
