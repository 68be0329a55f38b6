/** `cselab probe`: finds out how a CSE is reached, how it speaks and what it can, and writes its target file. */
import { json, restartCommand, timeout } from './common-flags.ts';
import { command, type GivenIn, toggle, valued } from './flag.ts';
import { ledger, politenessFlags, risky } from './safety-flags.ts';
import { reachFlags } from './target-flags.ts';

const flags = {
  '': {
    write: toggle('create a small subtree as well, to see what is accepted; it is removed again'),
    out: valued('<file>', 'write a target file'),
    force: toggle('replace the file if it exists'),
    json,
    ledger: ledger('where --write writes down what it creates'),
    restartCommand,
    risky,
  },
  ...politenessFlags({ timeout: timeout.saying('for one request (default: 5s)') }),
  ...reachFlags({
    target: valued('<file>', 'a file that describes how it is reached, and what is to be respected; flags win'),
    base: valued('<name>', 'name of its CSE base, where it is known'),
    spId: valued('<id>', 'its service provider identifier, where it is known'),
    originator: valued(
      '<id>',
      'the only originator with which it is asked (default with a certificate: its identifier)',
    ),
    release: valued('<release>', 'release of oneM2M that requests name (default: 3)'),
  }),
};

export type ProbeFlags = GivenIn<typeof flags>;

const examples = `
It asks about 30 times at most, ten times a second at most, and only reads, unless --write is given: then it creates one
application entity of its own with a few resources below it, and removes all of it again. What that is it writes down before,
so that cselab cleanup finds what a probe left that was killed.
What it writes begins with the target file that is shipped for the product that it recognises; what it saw wins.
Exit codes: 0 found, 2 usage, 3 not reachable, or it died, 4 it answers, but not as a CSE whose base can be found, 130 interrupted.

Examples:
  cselab probe http://127.0.0.1:8000                               what it is, with the evidence
  cselab probe https://gw:8000 --cacert chain.pem --out gw.yaml    and a target file for cselab check --target gw.yaml
  cselab probe http://gw:8080 --write --json                       more of what it can do, as JSON`;

export const addProbeCommand = command({
  name: 'probe',
  summary: 'find out what a CSE is and can do, and write its target file',
  says: 'find out which dialect, names and features a CSE has, and write its target file',
  takes: [['[url]', 'the CSE, such as http://127.0.0.1:8000; that of --target when absent']],
  flags,
  examples,
  run: async (url, given) => (await import('../run-probe.ts')).runProbe(url, given),
});
