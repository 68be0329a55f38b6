/** `cselab rule new`: writes a first file of a team's own requirements and rules. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { dialects, UsageError } from '../../scenarios/words.ts';
import { command, commandOf, valued } from '../../sim/command-line/flag.ts';
import { print, writeWhole } from '../writing/output-file.ts';

const examples = `
The file states one requirement, one rule that checks it on every exchange of every run, and valid and invalid examples, which are the
tests of the rule. A file that exists stays as it is, and is a mistake.

Examples:
  cselab rule new house-rules.yaml
  cselab lint house-rules.yaml                      check the examples; nothing is sent
  cselab check --rules house-rules.yaml             check a CSE by it as well
  cselab explain house.container.named --rules house-rules.yaml`;

export const define = commandOf("a team's own requirements, and rules that check them", examples, {
  new: command({
    help: 'write a requirement with its rule, and valid and invalid examples',
    args: [['[file]', 'what to write (default: house-rules.yaml)']],
    flags: { '': { dialect: valued('<name>', 'how the CSE speaks that it is for').of(dialects).or('documented') } },
    examples,
    async run(file = 'house-rules.yaml', { dialect }) {
      if (existsSync(file)) throw new UsageError(`${file} exists already`);
      const [level, base] = dialect === 'onem2m' ? ['standard', 'cse-in'] : ['documented', 'onem2m'];
      const path = relative(dirname(file), schema).replaceAll('\\', '/');
      const words = new Map(Object.entries({ level, base, schema: path.startsWith('.') ? path : `./${path}` }));
      const text = readFileSync(new URL('../init/rules.template', import.meta.url), 'utf8');
      await writeWhole(
        file,
        text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => words.get(name) ?? ''),
      );
      const flags = dialect === 'onem2m' ? '--dialect onem2m ' : '';
      print(`written  ${file}`, '', `Next:  cselab lint ${file}`, `       cselab check ${flags}--rules ${file}`);
    },
  }),
});

const schema = 'node_modules/cselab/dist/scenarios/own-rules.schema.json';
