/** What is wrong with the forwarding alone, over HTTP: a gap, so that it is judged only where that is asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HttpService, joinPair, serveHttp, startPair, systemClock } from '../../../sim/index.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import type { ExploreResult } from '../exploring/exploration.ts';
import { explore } from '../exploring/explore.ts';
import type { ExploreOptions } from '../search/explore-options.ts';

type Handle = HttpService['handle'];
type Change = (request: Parameters<Handle>[0], forward: Handle) => ReturnType<Handle>;

async function explored(options: Omit<ExploreOptions, 'pair' | 'safety'>): Promise<ExploreResult> {
  return lastOf(explore({ ...options, pair: true, safety: {} }));
}

/** A pair over HTTP whose gateway treats what is for the backend in another way. */
async function withGateway(change: Change, use: (target: ExploreOptions['target']) => Promise<void>): Promise<void> {
  const { gateway, backend } = await joinPair({ clock: systemClock(), interval: 3600, offset: 3600 });
  const isForBackend = (path: string) => /^\/(~|_\/[^/]+)\/in-cse-1\//.test(path);
  const forward: Handle = (request) => gateway.http.handle(request);
  const handle: Handle = (request) => (isForBackend(request.target) ? change(request, forward) : forward(request));
  const servers = await Promise.all([
    serveHttp({ handle, refuse: (error) => gateway.http.refuse(error) }, { port: 0 }),
    serveHttp(backend.http, { port: 0 }),
  ]);
  const [own, other] = servers.map(({ port }) => `http://127.0.0.1:${port}`);
  const sizes = () => [gateway.core.tree.size, backend.core.tree.size];
  const before = sizes();
  try {
    await use({ kind: 'url', url: own ?? '', backend: { url: other ?? '' }, risky: 'all' });
    assert.deepEqual(sizes(), before);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

const remembering = (): Change => {
  const remembered = new Map<string, Awaited<ReturnType<Handle>>>();
  return async (request, forward) => {
    if (request.method !== 'GET' || request.target.includes('?')) return forward(request);
    const answer = remembered.get(request.target) ?? (await forward(request));
    if (answer.status === 200) remembered.set(request.target, answer);
    return answer;
  };
};

const wrong: ReadonlyArray<readonly [says: string, requirement: string, change: Change]> = [
  ['answers reads from memory', 'forwarding.same-representation', remembering()],
  [
    'loses the originator',
    'forwarding.originator',
    (request, forward) => forward({ ...request, headers: { ...request.headers, 'x-m2m-origin': undefined } }),
  ],
  [
    'makes every refusal its own',
    'forwarding.errors',
    async (request, forward) => {
      const answer = await forward(request);
      return answer.status === 404 ? { ...answer, status: 502 } : answer;
    },
  ],
  [
    'refuses what is to be created there',
    'forwarding.create',
    (request, forward) =>
      request.method === 'POST' ? { status: 405, headers: { 'X-M2M-RSC': '4005' }, body: '' } : forward(request),
  ],
];

for (const [says, requirement, change] of wrong) {
  test(`a gateway that ${says} is found where forwarding is checked, and nowhere else`, async () => {
    await withGateway(change, async (target) => {
      const { counterexample, notes } = await explored({
        ...{ target, seed: 4, runs: 60, focus: [requirement], shrinkAttempts: 100 },
      });
      assert.equal(counterexample?.requirement, requirement);
      assert.equal(counterexample?.confirmed, true, counterexample?.scenario);
      assert.deepEqual(notes, []);
      const { exit } = await explored({ target, seed: 4, runs: 5 });
      assert.equal(exit.code, 0);
    });
  });
}

for (const tls of ['server', 'mutual'] as const) {
  test(`a pair is explored over TLS (${tls}), and left as it was`, async () => {
    await using pair = await startPair({ tls });
    const { chain = '', ae } = pair.certs ?? {};
    const own = tls === 'mutual' && ae !== undefined ? { own: { cert: ae.cert, key: ae.key }, requireCert: true } : {};
    const sizes = () => [pair.gateway.cse.core.tree.size, pair.backend.cse.core.tree.size];
    const before = sizes();
    const { url } = pair.gateway;
    const target = {
      kind: 'url',
      url,
      backend: { url: pair.backend.url },
      tls: { cacert: chain, ...own },
      risky: 'all',
    } as const;
    const { exit, counterexample, notes } = await explored({ target, seed: 3, runs: 12, level: 'gap' });
    assert.equal(counterexample?.scenario, undefined);
    assert.equal(exit.code, 0);
    assert.deepEqual([notes, sizes()], [[], before]);
  });
}
