/** `cselab up`: a CSE to play with. */
import type { Command } from 'commander';
import { createCse, type HttpService, type ReferenceCse, serveHttp } from './index.ts';
import { plantTree } from './tree-file.ts';

interface UpOptions {
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
    .action(up);
}

async function up(options: UpOptions): Promise<void> {
  const { port, base, cseId, spId, lifetime } = options;
  const cse = createCse({ base, cseId, spId, limits: { lifetime }, onError: (error) => console.error(error) });
  const planted = options.tree === undefined ? 0 : await plantTree(cse, options.tree);
  const service = options.verbose === undefined ? cse.http : logged(cse.http);
  const server = await serveHttp(service, { port, interface: options.interface }).catch((error: unknown) => {
    throw new ListenError(options.interface, port, error);
  });
  console.log(greeting(cse, server.url, planted));
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  await server.close();
  console.log('stopped');
}

/** The address cannot be listened on: taken, not allowed, or not this machine's. */
class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: unknown) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const advice = code === 'EADDRINUSE' ? 'something else listens there; choose another --port' : code;
    super(`cannot listen on ${host} port ${port}: ${advice}`, { cause });
  }
}

function greeting({ core }: ReferenceCse, url: string, planted: number): string {
  const { base, cseId } = core.configuration;
  const resources = planted === 0 ? '' : `, with ${planted} resources to begin with`;
  return `CSE ${cseId} at ${url}/${base}${resources}

Create the first application entity:
  curl -X POST ${url}/${base} \\
    -H 'Content-Type: application/vnd.onem2m-res+json' \\
    -d '{"m2m:ae": {"rn": "myapp", "api": "N.example", "rr": "TRUE"}}'

ready ${url}`;
}

function logged(service: HttpService): HttpService {
  return {
    refuse: (error) => service.refuse(error),
    async handle(request) {
      const answer = await service.handle(request);
      console.error(`${request.method} ${request.target} ${answer.status} ${answer.headers['X-M2M-RSC'] ?? ''}`);
      return answer;
    },
  };
}
