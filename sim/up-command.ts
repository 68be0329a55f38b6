/** `cselab up`: a gateway and a backend to play with. Loads the CSE only when it runs. */
import type { Command } from 'commander';

export interface UpOptions {
  /** A configuration file; false: none is started. */
  gateway?: string | false;
  backend?: string | false;
  gateways: number;
  port?: number;
  backendPort?: number;
  interface?: string;
  https?: true;
  requireCert?: true;
  base?: string;
  cseId?: string;
  spId?: string;
  lifetime?: number;
  tree?: string;
  verbose?: true;
}

const examples = `
Without files it starts what fixtures/config-gateway.json and fixtures/config-backend.json describe.
The last line of its output is "ready", the URL of the first gateway, and that of the backend.

Examples:
  cselab up                                         a gateway and a backend, plain HTTP
  cselab up --https --require-cert                  mutual TLS, with the certificates of certs/
  cselab up --gateways 3 --port 0                   three gateways at one backend, at free ports
  cselab up --no-backend --tree fixtures/trees/building.yaml
  cselab up --gateway my-gateway.json --no-backend  your own configuration`;

export function addUpCommand(program: Command, wholeNumber: (text: string) => number): void {
  program
    .command('up')
    .description('start a gateway CSE and a backend CSE to play with; ends on SIGTERM or Ctrl-C')
    .option('--gateway <file>', 'configuration file of the gateway')
    .option('--no-gateway', 'the backend alone')
    .option('--backend <file>', 'configuration file of the backend')
    .option('--no-backend', 'the gateway alone; it registers only where a file of yours says so')
    .option('--gateways <number>', 'gateways registered at the backend', wholeNumber, 1)
    .option('--port <number>', 'port of the (first) gateway, 0 for a free one (default: 8000)', wholeNumber)
    .option('--backend-port <number>', 'port of the backend (default: 18000, or 0 with --port 0)', wholeNumber)
    .option('--interface <address>', 'address to listen on; :: takes IPv4 and IPv6 (default: 127.0.0.1)')
    .option('--https', 'HTTPS at both')
    .option('--require-cert', 'clients must present a certificate')
    .option('--base <name>', 'name of the CSE base of the gateway (default: onem2m)')
    .option('--cse-id <id>', 'CSE identifier of the gateway (default: mn-cse-1)')
    .option('--sp-id <id>', 'service provider identifier (default: openmtc.org)')
    .option('--lifetime <seconds>', 'lifetime of resources that ask for none (default: 2000)', wholeNumber)
    .option('--tree <file>', 'YAML file with resources for the (first) gateway to begin with')
    .option('-v, --verbose', 'a line on stderr for each request, and every note on the files')
    .addHelpText('after', examples)
    .action(async (options: UpOptions) => {
      const { runUp } = await import('./run-up.ts');
      await runUp(options);
    });
}
