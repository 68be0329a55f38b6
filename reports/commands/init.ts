/** `cselab init`: writes what a project needs to check its CSE with every change. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { dialects, UsageError, version } from '../../scenarios/words.ts';
import { command, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { io } from '../writing/io.ts';
import { print, writeWhole } from '../writing/output-file.ts';

const servers = ['github', 'gitlab', 'none'] as const;
const defaultUrl = 'http://127.0.0.1:8000';

const flags = {
  '': {
    url: valued('<url>', 'where the CSE is reached (default: http://127.0.0.1:8000)'),
    dialect: valued('<name>', 'how it speaks (default: documented)').of(dialects),
    ci: valued('<name>', 'the build server (default: github)').of(servers),
    dir: valued('<dir>', 'the project').or('.'),
    force: toggle('replace files that exist'),
  },
};

type InitFlags = ValuesOf<typeof flags>;

const examples = `
At a terminal it asks for what no flag says; in a pipe it asks nothing. Files that exist stay as they are.

Examples:
  cselab init
  cselab init --url http://127.0.0.1:8080 --dialect onem2m --ci gitlab`;

export const define = command({
  help: 'write a target file, a first scenario, a plan and a workflow for your build server',
  flags,
  examples,
  async run(flags) {
    const choice = await chooseOptions(flags);
    if (!URL.canParse(choice.url)) throw new UsageError(`"${choice.url}" is no URL; it should look like ${defaultUrl}`);
    for (const [path, template] of templatesFor(choice)) {
      const full = join(flags.dir, path);
      const isKept = existsSync(full) && flags.force !== true;
      if (!isKept) await writeWhole(full, fillTemplate(template, choice.url));
      print(`${isKept ? 'kept   ' : 'written'}  ${full}`);
    }
    print('', `Next:  cselab check --plan ${join(flags.dir, 'conformance', 'plan.yaml')}`);
  },
});

/** What a project starts with. */
type StarterChoice = Required<Pick<InitFlags, 'url' | 'dialect' | 'ci'>>;

/** The templates in `init/`, by the path of their output, relative to the project. */
function templatesFor({ dialect, ci }: StarterChoice): readonly (readonly [path: string, template: string])[] {
  const workflows = { github: ['.github/workflows/conformance.yml'], gitlab: ['.gitlab-ci.yml'], none: [] };
  return [
    ['conformance/target.yaml', `target.${dialect}`],
    ['conformance/first-scenario.yaml', `first-scenario.${dialect}`],
    ['conformance/plan.yaml', 'plan'],
    ...workflows[ci].map((path) => [path, ci] as const),
  ];
}

function fillTemplate(template: string, url: string): string {
  const text = readFileSync(new URL(`../init/${template}.template`, import.meta.url), 'utf8');
  return text
    .replaceAll('{{url}}', () => url)
    .replace('{{url in quotes}}', () => JSON.stringify(url))
    .replace('{{version}}', version());
}

/** Asks only at a terminal, and only for what the flags leave open. */
async function chooseOptions({ url, dialect, ci }: InitFlags): Promise<StarterChoice> {
  const defaults = { url: url ?? defaultUrl, dialect: dialect ?? dialects[0], ci: ci ?? servers[0] };
  const { stdin, stdout } = io();
  if (stdin.isTTY !== true || stdout.isTTY !== true) return defaults;
  const lines = createInterface({ input: stdin, output: stdout as NodeJS.WritableStream });
  const ask = async (question: string, fallback: string) =>
    (await lines.question(`${question} [${fallback}] `)).trim() || fallback;
  const oneOf = async <T extends string>(question: string, choices: readonly T[], fallback: T): Promise<T> => {
    const answer = await ask(`${question} (${choices.join(', ')})`, fallback);
    return choices.find((choice) => choice === answer) ?? oneOf(question, choices, fallback);
  };
  try {
    return {
      url: url ?? (await ask('URL of the CSE', defaults.url)),
      dialect: dialect ?? (await oneOf('How it speaks', dialects, defaults.dialect)),
      ci: ci ?? (await oneOf('Build server', servers, defaults.ci)),
    };
  } finally {
    lines.close();
  }
}
