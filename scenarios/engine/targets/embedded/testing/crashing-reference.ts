/** For tests: the reference CSE behind a server that dies of requests, and listens again when it is restarted. */
import type { TestContext } from 'node:test';
import { createCse, type HttpService, serveHttp } from '../../../../../sim/index.ts';

export type CrashRequest = Parameters<HttpService['handle']>[0];

export interface CrashingReference {
  readonly url: string;
  readonly deaths: () => number;
  /** Resources that it holds. */
  readonly size: () => number;
  readonly restart: () => Promise<void>;
  /** Dies without a request. */
  readonly suspend: () => void;
}

/** `kills`: before such a request is answered every connection is cut, and nobody listens any more. */
export async function crashingReference(
  t: TestContext,
  kills: (request: CrashRequest, deaths: number) => boolean,
  dialect: 'documented' | 'onem2m' = 'documented',
): Promise<CrashingReference> {
  const { http, core } = createCse({ dialect });
  let deaths = 0;
  const server = await serveHttp(
    {
      ...http,
      refuse: (error) => http.refuse(error),
      handle(request) {
        if (!kills(request, deaths)) return http.handle(request);
        deaths += 1;
        server.suspend();
        return new Promise(() => {});
      },
    },
    { port: 0, limits: { closeMilliseconds: 1 } },
  );
  t.after(() => server.close());
  return {
    url: server.url,
    deaths: () => deaths,
    size: () => core.tree.size,
    restart: () => server.resume(),
    suspend: () => server.suspend(),
  };
}

/** Whether the body of a creation is of this kind. */
export function creating(root: string): (request: CrashRequest) => boolean {
  return ({ method, body }) => method === 'POST' && Buffer.from(body).toString().startsWith(`{"${root}"`);
}
