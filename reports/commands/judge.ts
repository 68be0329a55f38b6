/** `cselab judge`: judges recorded traffic; nothing is sent. */
import { dialects } from '../../scenarios/words.ts';
import { baseline, reportFlags, verbose } from './common-flags.ts';
import { command, type GivenIn, toggle, valued } from './flag.ts';

const flags = {
  'The CSE:': {
    dialect: valued('<name>', 'how the CSE speaks: by the interface specification, or by oneM2M TS-0009')
      .of(dialects)
      .or('documented'),
    url: valued('<url>', 'where it is; exchanges with others are left out (default: the only one in the file)'),
    base: valued('<name>', 'name of its CSE base (default: what it answers, else onem2m, or cse-in)'),
    cseId: valued('<id>', 'its CSE identifier (default: what it answers, else mn-cse-1, or id-in)'),
    spId: valued('<id>', 'its service provider identifier (default: openmtc.org)'),
    alone: toggle('nobody else changed anything at the CSE meanwhile: what came before counts'),
  },
  'What is told:': { baseline, ...reportFlags, verbose: verbose('every requirement and reason') },
};

export type JudgeFlags = GivenIn<typeof flags>;

const examples = `
A file holds what others sent to one CSE, and what it answered: lines of JSON as the journal of a CSE of cselab writes them
(JSON.stringify(entry) of each of cse.requests), a list of the same, an HTTP Archive (.har) as browsers and proxies write it, or
a JSON report of cselab itself. Each exchange is judged by every rule that applies, by what the exchanges before it made true.
What cannot be told is not judged: what was under way together with a write that may have to do with it, what has no readable
answer, and, unless the CSE itself wrote all of it down or --alone says so, what others may have changed meanwhile.
Exit codes: 0 no deviation in what was judged, 1 a deviation, 2 usage or a file that cannot be used, 4 nothing was judged.

Examples:
  cselab judge journal.ndjson
  cselab judge --dialect onem2m --alone session.har
  ssh gateway cat traffic.ndjson | cselab judge -
  cselab judge journal.ndjson --report terminal --report html --out my-reports`;

export const addJudgeCommand = command({
  name: 'judge',
  summary: 'judge recorded traffic, and send nothing',
  says: 'judge recorded traffic by every rule that applies, and send nothing',
  takes: [['<files...>', 'recordings: journal (NDJSON), HTTP Archive, or JSON report; - is stdin']],
  flags,
  examples,
  run: async (files, given) => (await import('../run-judge.ts')).runJudge(files, given),
});
