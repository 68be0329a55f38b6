/** `cselab replay`: sends the scenario of a failure again, and says whether it still fails. */
import { color, secret, timeout } from './common-flags.ts';
import { command, type GivenIn } from './flag.ts';
import { writingFlags } from './safety-flags.ts';
import { targetFlags } from './target-flags.ts';

const flags = {
  ...targetFlags,
  ...writingFlags({}),
  'What is told:': { timeout, secret, color },
};

export type ReplayFlags = GivenIn<typeof flags>;

const examples = `
The id is a failure's, a requirement's or a scenario's, as cselab show lists them. The target is that of the report; an embedded
CSE is started anew. Keys, certificates and headers are not in a report: give them, or --target, as you did to check.
Exit codes: 0 fixed, 1 still failing or different, 2 usage (the id is not in the report, the scenario exists no longer),
3 target unreachable or harness fault.

Examples:
  cselab replay report.json 3fa91c2
  cselab replay report.json ae.create.status --url http://127.0.0.1:8000
  cselab replay report.json documented/ae/registers --cert ae.cert.pem --key ae.key.pem`;

export const addReplayCommand = command({
  name: 'replay',
  summary: 'send the scenario of a failure again',
  says: 'send the scenario of a failure again: FIXED, STILL FAILING or DIFFERENT',
  takes: [
    ['<report>', 'JSON report'],
    ['<id>', 'failure, requirement or scenario'],
  ],
  flags,
  examples,
  run: async (path, id, given) => (await import('../replay/run-replay.ts')).runReplay(path, id, given),
});
