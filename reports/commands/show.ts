/** `cselab show`: the failures of a report, or one of them with everything. */

import { command } from '../../sim/flag.ts';
import { runShow } from '../show/run-show.ts';
import { color } from './common-flags.ts';

const examples = `
An id is a failure's (seven digits, or the first four; the same in every run), a requirement's, or a scenario's.

Examples:
  cselab show report.json                          every failure with its id
  cselab show report.json 3fa91c2                  all about one: clause, expected and actual, transcript, curl
  cselab show report.json ae.create.status
  cselab show report.json documented/ae/registers`;

export const define = command({
  takes: [
    ['<report>', 'JSON report'],
    ['[id]', 'failure, requirement or scenario'],
  ],
  flags: { '': { color } },
  examples,
  run: runShow,
});
