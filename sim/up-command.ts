/** `cselab up`: a CSE to play with. Loads the CSE only when it runs. */
import type { Command } from 'commander';

export interface UpOptions {
  port: number;
  interface: string;
  base: string;
  cseId: string;
  spId: string;
  lifetime: number;
  tree?: string;
  verbose?: true;
}

const examples = `
Examples:
  cselab up
  cselab up --port 0 --tree fixtures/trees/building.yaml
  cselab up --interface :: --base cse-in --cse-id in-cse-1 -v`;

export function addUpCommand(program: Command, wholeNumber: (text: string) => number): void {
  program
    .command('up')
    .description('start a reference CSE to play with; ends on SIGTERM or Ctrl-C')
    .option('--port <number>', 'port to listen on, 0 for a free one', wholeNumber, 8000)
    .option('--interface <address>', 'address to listen on; :: takes IPv4 and IPv6', '127.0.0.1')
    .option('--base <name>', 'name of the CSE base', 'onem2m')
    .option('--cse-id <id>', 'CSE identifier', 'mn-cse-1')
    .option('--sp-id <id>', 'service provider identifier', 'openmtc.org')
    .option('--lifetime <seconds>', 'lifetime of resources that ask for none', wholeNumber, 2000)
    .option('--tree <file>', 'YAML file with resources to begin with')
    .option('-v, --verbose', 'a line on stderr for each request')
    .addHelpText('after', examples)
    .action(async (options: UpOptions) => {
      const { runUp } = await import('./run-up.ts');
      await runUp(options);
    });
}
