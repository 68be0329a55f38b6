/** `cselab list`: what the catalogue demands, and which scenarios check it. */
import { json } from './common-flags.ts';
import { command, type GivenIn, toggle, valued } from './flag.ts';

const flags = {
  '': {
    json,
    risks: toggle('requests that are known to corrupt or kill a deployed CSE, and are left out at live targets'),
    coverage: toggle(
      'test purposes of the conformance suite that are answered, statements without a check, and what rules look at',
    ),
    robustness: valued('[numbers...]', 'the robustness cases, or those of these numbers and sections, such as R-3'),
  },
};

export type ListFlags = GivenIn<typeof flags>;

const examples = `
Examples:
  cselab list
  cselab list --json
  cselab list --robustness      the cases of cselab explore --robustness, with what is right of each
  cselab list --coverage        how far they answer oneM2M's conformance suite
  cselab list --risks           what is not sent to a live target unless --risky is given
  cselab check --list ae        the scenarios behind requirements that start with ae`;

export const addListCommand = command({
  name: 'list',
  summary: 'list every requirement, and how many scenarios check it',
  says: 'list every requirement of the catalogue with the number of scenarios that check it',
  flags,
  examples,
  run: async (given) => (await import('../run-list.ts')).runList(given),
});
