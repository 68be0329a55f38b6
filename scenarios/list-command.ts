/** `cselab list`: what the catalogue demands, and which scenarios check it. */
import type { Command } from 'commander';

const examples = `
Examples:
  cselab list
  cselab list --json
  cselab list --robustness      the cases of cselab explore --robustness, with what is right of each
  cselab list --coverage        how far they answer oneM2M's conformance suite
  cselab list --risks           what is not sent to a live target unless --risky is given
  cselab check --list ae        the scenarios behind requirements that start with ae`;

interface ListFlags {
  readonly json?: boolean;
  readonly coverage?: boolean;
  readonly risks?: boolean;
  readonly robustness?: readonly string[] | true;
}

export function addListCommand(program: Command): void {
  program
    .command('list')
    .summary('list every requirement, and how many scenarios check it')
    .description('list every requirement of the catalogue with the number of scenarios that check it')
    .option('--json', 'as JSON')
    .option('--risks', 'requests that are known to corrupt or kill a deployed CSE, and are left out at live targets')
    .option(
      '--coverage',
      'test purposes of the conformance suite that are answered, statements without a check, and what rules look at',
    )
    .option('--robustness [numbers...]', 'the robustness cases, or those of these numbers and sections, such as R-3')
    .addHelpText('after', examples)
    .action(async ({ json = false, coverage, robustness, risks }: ListFlags) => {
      const { runCoverage, runList, runRisks, runRobustnessList } = await import('./run-list.ts');
      if (coverage) runCoverage(json);
      else if (robustness) runRobustnessList(json, robustness === true ? [] : robustness);
      else if (risks) runRisks(json);
      else runList(json);
    });
}
