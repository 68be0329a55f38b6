/** What `cselab up` does once its options are read. */
import { createCse, type HttpService, type ReferenceCse, serveHttp } from './index.ts';
import { plantTree } from './tree-file.ts';
import type { UpOptions } from './up-command.ts';

/** Resolves when the process was told to stop and the server has closed. Rejects with a ListenError or TreeFileError. */
export async function runUp(options: UpOptions): Promise<void> {
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
