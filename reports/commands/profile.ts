/** `cselab profile`: makes a product that `cselab up --as` imitates out of the report of a live run. */
import { command, type GivenIn, toggle, valued } from './flag.ts';

const flags = {
  '': {
    target: valued(
      '<file>',
      'target file of that run, or the name of a product that cselab knows (default: by the report)',
    ),
    out: valued('<file>', 'where to write it; - is stdout (default: <product>.yaml)'),
    force: toggle('replace its deviations if the file exists'),
  },
};

export type ProfileFlags = GivenIn<typeof flags>;

const examples = `
It takes from the report which requirements the product violates, chooses for each of them a deviation of the simulator that violates
it too, runs every scenario against them all together, and leaves out or replaces what stands in the way of others or breaks what the product
keeps. Names, dialect and access control are taken from the report and the target file, resource types that it has not from its
conformance statement. Of a file that is there, or that is shipped for the product, everything else is kept.
Exit codes: 0 written, 2 usage.

Examples:
  cselab check --target acme --url http://127.0.0.1:8080 --report json=acme.json
  cselab profile acme.json --out my-acme.yaml     some minutes: it is tried
  cselab up --as my-acme.yaml                     a CSE that differs as that one does`;

export const addProfileCommand = command({
  name: 'profile',
  summary: 'make a stand-in for a product out of the report of a live run',
  says: 'write a product file for cselab up --as: the deviations that a report shows, and how faithful they are',
  takes: [['<report>', 'what cselab check --report json wrote']],
  flags,
  examples,
  run: async (path, given) => (await import('../profile/run-profile.ts')).runProfile(path, given),
});
