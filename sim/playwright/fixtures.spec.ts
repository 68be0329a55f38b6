/** Fixtures of `cselab/playwright`: what a test finds, whatever tests before it have done. */
import { expect, test as given } from '../playwright.ts';

interface WorkerFixtures {
  /** URLs of the pairs that the tests of this worker have found. */
  readonly urls: Set<string>;
}

const test = given.extend<object, WorkerFixtures>({
  urls: [async ({ browserName: _any }, use) => use(new Set()), { scope: 'worker' }],
});

const json = { 'Content-Type': 'application/vnd.onem2m-res+json' };
const post = (url: string, content: object) =>
  fetch(url, { method: 'POST', headers: { ...json, 'X-M2M-Origin': 'Ctest' }, body: JSON.stringify(content) });

test.describe('one test after the other', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ cselab: { tree: 'building', deviations: ['ae.aei.missing'] } });
  const humidity = 'building/ground-floor/humidity';

  test('leaves resources, deviations, delays, devices, journals, and a gateway that is cut off and dead', async ({
    pair,
    gateway,
    urls,
  }) => {
    urls.add(gateway.url).add(pair.backend.url);
    expect((await post(`${gateway.url}/onem2m`, { 'm2m:cnt': { rn: 'left' } })).status).toBe(201);
    gateway.tree.get(humidity);
    expect((await fetch(`${gateway.url}/onem2m/${humidity}`, { method: 'DELETE' })).status).toBe(200);
    gateway.deviate('ae.rr.missing');
    await gateway.delay('10m');
    await gateway.startWorkload({ devices: [{ into: 'device/data', every: '1ms', value: { constant: 1 } }] });
    await gateway.requests.expectRequest({ path: '/onem2m/device/data', root: 'm2m:cin' }, { within: '20s' });
    await pair.backend.seed('meters');
    pair.disconnect();
    await gateway.disturbances.dead();
  });

  test('finds a pair at the same place as if it had just been started', async ({ pair, gateway, backend, urls }) => {
    expect([...urls]).toEqual([gateway.url, backend.url]);
    expect(gateway.tree.has('left')).toBe(false);
    expect(gateway.tree.has('device')).toBe(false);
    expect(gateway.tree.get(`${humidity}/latest`).content).toBe('48');
    expect(backend.tree.ofType('AE')).toHaveLength(0);
    expect(gateway.activeDeviations()).toEqual(['ae.aei.missing']);
    expect(gateway.disturbances.rules).toEqual([]);
    expect([gateway.requests.entries, backend.requests.entries]).toEqual([[], []]);
    expect((await fetch(`${backend.url}/~/mn-cse-1/onem2m/building`)).status).toBe(200);
    await pair.close();
  });

  test('finds another when a test before has closed it', async ({ gateway, urls }) => {
    expect(urls.has(gateway.url)).toBe(false);
    expect((await fetch(`${gateway.url}/onem2m`)).status).toBe(200);
  });

  test.describe('with other options', () => {
    test.use({ cselab: { dialect: 'onem2m', gateways: 2 } });

    test('finds another pair', async ({ pair, cse, urls }) => {
      expect(pair.gateways.map(({ cseId, base }) => [cseId, base])).toEqual([
        ['id-mn', 'cse-mn'],
        ['id-mn-2', 'cse-mn'],
      ]);
      expect(urls.has(pair.gateway.url)).toBe(false);
      expect(cse.tree.base.path).toBe('/cse-in');
    });
  });
});

test('an application pushes, and an inbox hears of it', async ({ gateway, ae, inbox }) => {
  const container = await ae.createContainer('temperature');
  await post(`${gateway.url}${container}`, { 'm2m:sub': { nu: [inbox.url], enc: { net: [3] } } });
  await ae.push(container, { celsius: 21.5 });
  expect((await inbox.next({ within: '20s' })).content).toEqual({ celsius: 21.5 });
  await expect(gateway).toHaveReceived({ method: 'POST', path: container, originator: 'CTest-AE', status: 201 });
  await expect(gateway).not.toHaveReceived({ method: 'DELETE' });
});

test('an expectation that is not met names the nearest request', async ({ gateway }) => {
  await post(`${gateway.url}/onem2m`, { 'm2m:cnt': { rn: 'one' } });
  const failure = async (expecting: () => Promise<unknown>) =>
    expecting().then(
      () => undefined,
      (error: Error) => error.message,
    );
  const other = { method: 'POST', path: '/onem2m', body: { rn: 'two' } };
  const expected = await failure(() => expect(gateway).toHaveReceived(other, { within: 0 }));
  expect(expected).toContain('body.rn: expected "two", was "one"');
  const unexpected = await failure(() => expect(gateway).not.toHaveReceived({ method: 'POST' }));
  expect(unexpected).toMatch(/An unexpected request came: no\. \d+, POST \/onem2m from Ctest/);
});

test.describe('with mutual TLS', () => {
  test.use({ cselab: { tls: 'mutual' } });

  test('the application presents a certificate', async ({ gateway, ae }) => {
    expect(gateway.url).toMatch(/^https:/);
    await expect(gateway).toHaveReceived({ method: 'POST', originator: ae.originator, status: 201 });
  });
});

for (const [wire, url] of [
  ['mqtt', 'mqttUrl'],
  ['ws', 'wsUrl'],
  ['coap', 'coapUrl'],
] as const)
  test.describe(`with ${wire}`, () => {
    test.use({ cselab: { dialect: 'onem2m', [wire]: true } });

    test('the CSEs reach each other by it', async ({ gateway, backend }) => {
      expect(gateway[url]).toMatch(new RegExp(`^${wire}://127`));
      const headers = { 'X-M2M-Origin': '/id-mn', 'X-M2M-RI': '1', 'X-M2M-RVI': '3' };
      const answer = await fetch(`${gateway.url}/~/id-in/cse-in`, { headers });
      expect(answer.status).toBe(200);
      await expect(backend).toHaveReceived({ method: 'GET', wire });
    });
  });

test.describe('with a clock that stands still', () => {
  test.use({ cselab: { clock: 'manual' } });

  test('the test advances the time of the pair and of the CSE in memory', async ({ pair, clock, cse }) => {
    const start = clock.now();
    for (const each of [pair.gateway, cse]) {
      await each.startWorkload({ devices: [{ into: 'a/c', every: '10m', after: '10m', value: { constant: 1 } }] });
    }
    await clock.advance('30m');
    expect(pair.clock.now() - start).toBe(30 * 60_000_000);
    for (const each of [pair.gateway, cse]) expect(each.tree.get('a/c').instances).toHaveLength(3);
  });
});

test('a clock that runs by itself cannot be advanced', async ({ clock }) => {
  await expect(clock.advance('1h')).rejects.toThrow("test.use({ cselab: { clock: 'manual' } })");
});
