/** `cselab explore`: generated sequences of requests against a CSE, until one shows a deviation. */

import { command } from '../../sim/command-line/flag.ts';
import { exploreFlags as flags } from '../explore/run-exploration.ts';

const examples = `
A sequence creates, reads, updates, removes and discovers resources below names of its own; the rules check
each answer. The first deviation is shrunk, and written as a scenario file.
A target that dies is waited for as by check, and the sequence that kills it again is reported, too.
Exit codes: 0 no deviation, 1 a deviation, 2 usage, 3 target unreachable or dead, 4 nothing was checked, 130 interrupted; the best result
so far is reported and written.

Examples:
  cselab explore --in-process                           the reference CSE without a socket
  cselab explore --url http://127.0.0.1:8000 --max-time 60s
  cselab explore --focus container.cni discovery        only requirements that begin so
  cselab explore --target acme --except std.content-instance.cs   past what is known
  cselab explore --seed 7 --path 1:0:4                  exactly the sequence that a counterexample tells
  cselab explore --dialect onem2m --in-process          checked by the standard, with groups, policies and notifications
  cselab explore --wire --url https://127.0.0.1:8000   malformed HTTP: is each refused in an orderly way, and nothing changed?
  cselab explore --robustness --url http://127.0.0.1:8000     a fixed list of malformed and odd HTTP: as it should, tolerable, wrong?
  cselab explore --robustness R-4 R-5.39                only these sections and cases
  cselab explore --concurrency 4 --url http://127.0.0.1:8000     four originators at once: does some order explain what they see?
  cselab explore --in-process --runs 10000 --processes 4   on several processors
  cselab explore --pair --in-process --level gap        a gateway with its backend, and what goes through one to the other
  cselab explore --pair --dialect onem2m --in-process   the same, checked by the standard
  cselab explore --pair --url http://gw:8000 --backend-url http://be:18000 --focus forwarding
  cselab explore --in-process --deviation container.cni.one-behind   how a deviating CSE is found out`;

export const define = command({
  help: 'try generated sequences of requests on a CSE, and shrink the first that shows a deviation',
  flags,
  examples,
  run: async (options) => {
    const { robustness, wire, concurrency } = options;
    const { runExplore, runExploreTogether, runExploreWire, runRobustness } = await import('../explore/modes.ts');
    if (robustness !== undefined) return runRobustness(options, robustness === true ? [] : robustness);
    if (wire) return runExploreWire(options);
    return concurrency === undefined ? runExplore(options) : runExploreTogether(options, concurrency);
  },
});
