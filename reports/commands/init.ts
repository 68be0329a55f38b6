/** `cselab init`: what a project needs to have its CSE judged with every change. */
import { dialects } from '../../scenarios/words.ts';
import { command, type GivenIn, toggle, valued } from './flag.ts';

const flags = {
  '': {
    url: valued('<url>', 'where the CSE is reached (default: http://127.0.0.1:8000)'),
    dialect: valued('<name>', 'how it speaks (default: documented)').of(dialects),
    ci: valued('<name>', 'the build server (default: github)').of(['github', 'gitlab', 'none']),
    dir: valued('<dir>', 'the project').or('.'),
    force: toggle('replace files that exist'),
  },
};

export type InitFlags = GivenIn<typeof flags>;

const examples = `
At a terminal it asks for what no flag says; in a pipe it asks nothing. Files that exist stay as they are.

Examples:
  cselab init
  cselab init --url http://127.0.0.1:8080 --dialect onem2m --ci gitlab`;

export const addInitCommand = command({
  name: 'init',
  summary: 'write a target file, a first scenario and a workflow',
  says: 'write a target file, a first scenario and a workflow for your build server',
  flags,
  examples,
  run: async (given) => (await import('../run-init.ts')).runInit(given),
});
