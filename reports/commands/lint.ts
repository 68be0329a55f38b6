/** `cselab lint`: what is wrong with files that people wrote, before anything runs. */
import { json } from './common-flags.ts';
import { command } from './flag.ts';

const examples = `
Scenario, requirement, target and baseline files are told apart by what is in them. Nothing is sent.
Exit codes: 0 nothing is wrong, 2 something is.

Examples:
  cselab lint                          every such file below this directory, or else the project's own
  cselab lint my-scenario.yaml known.yaml
  cselab lint gateways/ --json         for editors and scripts`;

export const addLintCommand = command({
  name: 'lint',
  summary: 'look for mistakes in scenario, target and baseline files',
  says: 'look for mistakes in scenario, requirement, target and baseline files',
  takes: [['[files...]', 'files or directories; when there is none, what lies below this directory']],
  flags: { '': { json: json.saying('as JSON: the files, and each problem with its place') } },
  examples,
  run: async (files, { json = false }) => (await import('../run-lint.ts')).runLint(files, json),
});
