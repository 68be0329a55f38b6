/** `cselab list`: what the catalogue demands, and which scenarios check it. */
import type { Command } from 'commander';

const examples = `
Examples:
  cselab list
  cselab list --json
  cselab check --list ae        the scenarios behind requirements that start with ae`;

export function addListCommand(program: Command): void {
  program
    .command('list')
    .description('list every requirement of the catalogue with the number of scenarios that check it')
    .option('--json', 'as JSON')
    .addHelpText('after', examples)
    .action(async ({ json = false }: { json?: boolean }) => {
      const { runList } = await import('./run-list.ts');
      runList(json);
    });
}
