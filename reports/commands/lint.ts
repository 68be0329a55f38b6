/** `cselab lint`: finds mistakes in hand-written files before anything runs. */

import { type Problem, renderProblem, ScenarioFilesError } from '../../scenarios/engine/basics/diagnostics.ts';
import { type LintedFile, lint } from '../../scenarios/lint.ts';
import { command } from '../../sim/command-line/flag.ts';
import { counted, visibleLines } from '../facts/wording.ts';
import { json } from '../flags/common-flags.ts';
import { readPlan } from '../plan/plan-file.ts';
import { io } from '../writing/io.ts';
import { print, printJson } from '../writing/output-file.ts';
import { LineProgress } from '../writing/progress.ts';

const examples = `
Scenario, requirement, target, baseline and plan files are told apart by what is in them. Nothing is sent.
Exit codes: 0 nothing is wrong, 2 something is.

Examples:
  cselab lint                          every such file below this directory, or else the project's own
  cselab lint my-scenario.yaml known.yaml
  cselab lint gateways/ --json         for editors and scripts`;

export const define = command({
  help: 'look for mistakes in scenario, requirement, target, baseline and plan files',
  args: [['[files...]', 'files or directories; when there is none, what lies below this directory']],
  flags: { '': { json: json.withHelp('as JSON: the files, and each problem with its place') } },
  examples,
  run(paths, { json = false }) {
    const lines = new LineProgress(io().stderr);
    const found = json ? lint(paths) : lint(paths, (done, of) => lines.count(done, of, 'scenario files'));
    const { files } = found;
    const problems = [...found.problems, ...files.flatMap(planProblems)];
    if (json) printJson({ ...found, problems });
    else {
      lines.end();
      for (const one of problems) print(...visibleLines(renderProblem(one)), '');
      print(`${counted(files.length, 'file')} looked at, ${counted(problems.length, 'problem')}`);
    }
    return problems.length > 0 ? 2 : 0;
  },
});

/** Problems of a plan, which consists of flags. */
function planProblems({ file, kind }: LintedFile): readonly Problem[] {
  try {
    if (kind === 'plan') readPlan(file);
    return [];
  } catch (error) {
    if (error instanceof ScenarioFilesError) return error.problems;
    throw error;
  }
}
