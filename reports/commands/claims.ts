/** `cselab claims`: the claims of a CSE as an implementation conformance statement (ICS) in the form of TS-0017. */

import { applyForm, claimsForm } from '../../scenarios/target-files/claims-form.ts';
import { command, commandOf, valued } from '../../sim/command-line/flag.ts';
import { counted } from '../facts/wording.ts';
import { say, writeWhole } from '../writing/output-file.ts';

const flags = {
  '': {
    profile: valued('<name>', 'what is to be there: a profile of TS-0025 (in, gateway), or a file with one'),
    out: valued('<file>', 'where it goes (default: stdout)'),
  },
};

const examples = `
Tables of TS-0017 are named as far as they are known. Support is Yes, No, or left open; status is m for what the dialect or a profile demands.

Examples:
  cselab claims export acme
  cselab claims export gateway.yaml --profile gateway --out ics.csv
  cselab claims import ics.csv gateway.yaml         write what the form claims into implements`;

export const define = commandOf(
  'what a CSE claims to have: write it as a form of TS-0017, or take such a form in',
  examples,
  {
    export: command({
      help: 'write the claims of a target file as a form of TS-0017',
      args: [['<target>', 'a target file, or the name of a product that cselab knows']],
      flags,
      async run(target, { profile, out }) {
        const text = claimsForm(target, profile);
        await writeWhole(out ?? '-', text);
      },
    }),
    import: command({
      help: 'take the claims of such a form into a target file',
      args: [
        ['<ics>', 'the form, filled in: CSV with the columns Item and Support'],
        ['<file>', 'the target file'],
      ],
      flags: { '': {} },
      async run(form, file) {
        const { text, changed, claims, unused } = applyForm(form, file);
        if (changed.length > 0) await writeWhole(file, text);
        say(`${file}: ${counted(changed.length, 'claim')} written, ${claims - changed.length} as before`);
        if (unused.length > 0) say(`no feature stands for ${unused.join(', ')}`);
      },
    }),
  },
);
