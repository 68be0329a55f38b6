/** `cselab list`: what the catalogue demands, and which scenarios check it. */
import type { Command } from 'commander';

const examples = `
Examples:
  cselab list
  cselab list --json
  cselab list --robustness      the cases of cselab explore --robustness, with what is right of each
  cselab list --coverage        how far they answer oneM2M's conformance suite
  cselab check --list ae        the scenarios behind requirements that start with ae`;

export function addListCommand(program: Command): void {
  program
    .command('list')
    .summary('list every requirement, and how many scenarios check it')
    .description('list every requirement of the catalogue with the number of scenarios that check it')
    .option('--json', 'as JSON')
    .option('--coverage', 'test purposes of the conformance suite that are answered, and statements without a check')
    .option('--robustness', 'the robustness cases, by their numbers')
    .addHelpText('after', examples)
    .action(async ({ json = false, coverage, robustness }: Record<'json' | 'coverage' | 'robustness', boolean>) => {
      const { runCoverage, runList, runRobustnessList } = await import('./run-list.ts');
      if (coverage) runCoverage(json);
      else if (robustness) runRobustnessList(json);
      else runList(json);
    });
}
