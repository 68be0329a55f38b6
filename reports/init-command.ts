/** `cselab init`: what a project needs to have its CSE judged with every change. */
import { type Command, Option } from 'commander';
import { type Dialect, dialects } from '../scenarios/words.ts';

export interface InitFlags {
  url?: string;
  dialect?: Dialect;
  ci?: 'github' | 'gitlab' | 'none';
  dir: string;
  force?: true;
}

const examples = `
At a terminal it asks for what no flag says; in a pipe it asks nothing. Files that exist stay as they are.

Examples:
  cselab init
  cselab init --url http://127.0.0.1:8080 --dialect onem2m --ci gitlab`;

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .summary('write a target file, a first scenario and a workflow')
    .description('write a target file, a first scenario and a workflow for your build server')
    .option('--url <url>', 'where the CSE is reached (default: http://127.0.0.1:8000)')
    .addOption(new Option('--dialect <name>', 'how it speaks (default: documented)').choices(dialects))
    .addOption(new Option('--ci <name>', 'the build server (default: github)').choices(['github', 'gitlab', 'none']))
    .option('--dir <dir>', 'the project', '.')
    .option('--force', 'replace files that exist')
    .addHelpText('after', examples)
    .action(async (flags: InitFlags) => {
      const { runInit } = await import('./run-init.ts');
      await runInit(flags);
    });
}
