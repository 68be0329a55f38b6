/** `cselab up`: a gateway and a backend to play with. Loads the CSE only when it runs. */
import { type Command, Option } from 'commander';

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
  dialect?: 'documented' | 'onem2m';
  base?: string;
  cseId?: string;
  spId?: string;
  /** Originator that may do everything. */
  admin?: string;
  /** Originators that may register, separated by commas. */
  registrars?: string;
  /** Releases, separated by commas. */
  release?: string;
  requireAuth?: boolean;
  lifetime?: number;
  longestLifetime?: number;
  tree?: string;
  adminPort?: number;
  manualClock?: true;
  verbose?: true;
}

const examples = `
Without files it starts what fixtures/config-gateway.json and fixtures/config-backend.json describe.
In the onem2m dialect it starts one CSE without files, cse-in with the identifier id-in; with --backend-port
a gateway cse-mn (id-mn) that is registered at it.
The last line of its output is "ready", the URL of the first gateway, and that of the backend.

The admin port listens on 127.0.0.1: POST /reset, GET /snapshot, PUT /restore, GET /sent, and with --manual-clock
POST /clock/advance {"by": "1h"}.

Examples:
  cselab up                                         a gateway and a backend, plain HTTP
  cselab up --https --require-cert                  mutual TLS, with the certificates of certs/
  cselab up --gateways 3 --port 0                   three gateways at one backend, at free ports
  cselab up --no-backend --tree fixtures/trees/building.yaml
  cselab up --gateway my-gateway.json --no-backend  your own configuration
  cselab up --dialect onem2m --port 8080            one CSE that speaks the standard's own HTTP binding
  cselab up --dialect onem2m --admin-port 8081 --manual-clock`;

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
    .addOption(new Option('--dialect <name>', 'how they speak (default: documented)').choices(['documented', 'onem2m']))
    .option('--base <name>', 'name of the CSE base of the gateway (default: onem2m)')
    .option('--cse-id <id>', 'CSE identifier of the gateway (default: mn-cse-1)')
    .option('--sp-id <id>', 'service provider identifier (default: openmtc.org)')
    .option('--admin <originator>', 'originator that may do everything (default in the onem2m dialect: CAdmin)')
    .option('--registrars <patterns>', 'originators that may register (default in the onem2m dialect: C*,S*)')
    .option('--release <list>', 'supported releases (default in the onem2m dialect: 2a,3,4,5)')
    .option('--require-auth', 'access control policies are looked at (default in the onem2m dialect)')
    .option('--no-require-auth', 'everybody may do everything')
    .option('--lifetime <seconds>', 'lifetime of resources that ask for none (default: 2000)', wholeNumber)
    .option('--longest-lifetime <seconds>', 'longest lifetime of resources', wholeNumber)
    .option('--tree <file>', 'YAML file with resources for the (first) gateway to begin with')
    .option(
      '--admin-port <number>',
      'port for tests to reset and look into the first CSE, 0 for a free one',
      wholeNumber,
    )
    .option('--manual-clock', 'time stands still until the admin port advances it')
    .option('-v, --verbose', 'a line on stderr for each request, and every note on the files')
    .addHelpText('after', examples)
    .action(async (options: UpOptions) => {
      const { runUp } = await import('./run-up.ts');
      await runUp(options);
    });
}
