/** What is packed works where nothing but the package is: in an empty folder, in each way of importing it, under each test runner. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { commandsIn, fencesIn, wordsOf } from '../fixtures/testing/documentation/fences.ts';
import { browserMissing, browserRequired, findBrowser } from '../reports/html/testing/browser.ts';
import { type InstalledPackage, installPackage } from './installed-package.ts';

const execute = promisify(execFile);
const tool = (path: string) => join('node_modules', path);
let place: InstalledPackage;

before(async () => {
  place = await installPackage();
  await place.write('strict.ts', strict);
});

after(() => place?.[Symbol.asyncDispose]());

/** What the README has for an empty folder in which the package and MSW are installed: three commands, and the test that the last one runs. */
const readme = fencesIn('README.md');
const threeCommands = readme.filter(({ runBy }) => runBy === '.ci/package.test.ts').flatMap(commandsIn);
const displayTest = readme.find(({ from }) => from === 'fixtures/examples/display.test.mjs')?.text ?? '';

/** Octets that the package may have. */
const largest = 3_000_000;

/** What has a type is used as it is to be, and as it is not to be. */
const strict = `
  import { ApplicationEntity, type CseOptions, type DeviationId, type ProductName, type TreeName, type InMemoryCse, manualClock, RequestError, startPair } from 'cselab';
  import { serveCoap } from 'cselab/coap';
  import { check, type MakeOwnReporter, type RunResult } from 'cselab/harness';
  import { type CselabMatchers, matchers } from 'cselab/matchers';
  import { serveMqtt, type ServedWire, startBroker } from 'cselab/mqtt';
  import { cseHandlers, cseWsHandlers } from 'cselab/msw';
  import { serveWs } from 'cselab/ws';

  declare module 'vitest' {
    interface Matchers<T> extends CselabMatchers {}
  }

  await using pair = await startPair({ clock: 'manual', tls: 'mutual', gateways: 2 });
  const originator: string | undefined = pair.certs?.ae.originator;
  await pair.clock.advance('1h');
  // @ts-expect-error: certificates are there with TLS only
  pair.certs.chain;
  // @ts-expect-error: what is not known is left out
  const options: CseOptions = { base: undefined };

  await using app = new ApplicationEntity({ cse: pair.gateway.url, name: 'Weather', clock: manualClock() });
  const container: string = await app.createContainer('temperature', { maxInstances: 3 });
  await app.push(container, { celsius: 21 }).catch((error: unknown) => error instanceof RequestError && error.code);
  const { answer } = await pair.gateway.requests.expectRequest({ method: 'POST', content: { celsius: 21 } });
  export const code: number | undefined = answer?.code;
  export const handlers = (cse: InMemoryCse) => [
    ...cseHandlers(cse, 'http://gateway.example'),
    ...cseWsHandlers(cse, 'ws://gateway.example:8180'),
  ];
  await using broker = await startBroker({ admits: (username) => username === 'me' });
  export const served = (cse: InMemoryCse): Promise<ServedWire[]> =>
    Promise.all([serveMqtt(cse, broker.url), serveWs(cse, { port: 8180 }), serveCoap(cse, { bodyBytes: 1_000 })]);
  // @ts-expect-error: an MQTT server is somewhere
  export const nowhere = (cse: InMemoryCse) => serveMqtt(cse);
  export const run: AsyncGenerator<unknown, RunResult> = check({ target: { kind: 'embedded' } });
  export const reporter: MakeOwnReporter = ({ path = '-', write }) => ({ finish: ({ exit }) => write(path + exit.code) });
  const shipped: readonly [DeviationId, ProductName, TreeName] = ['ae.rr.missing', 'acme', 'building'];
  // @ts-expect-error: an editor offers those that there are
  const absent: DeviationId = 'ae.rr.mising';
  pair.gateway.deviate(shipped[0], 'my.own', { id: 'mine', violates: 'ae.create.rr', says: 'No rr.', rows: [] } as never);
  await pair.gateway.seed(shipped[2]);
  export { matchers, options, originator, shipped, absent };
`;

// Two at a time; much of what the first does is waiting.
describe('the packed package', { concurrency: 2 }, () => {
  test('three commands bring a pair with TLS, a check that passes and the test of an application with MSW', async () => {
    assert.equal(threeCommands.length, 3);
    const [up = [], check = [], own = []] = threeCommands.map(wordsOf);
    await place.write('display.test.mjs', displayTest);
    const pair = place.start('cselab', [...up.slice(2), '--port', '0']);
    const ended = once(pair, 'exit');
    try {
      const [, url = ''] = await printed(pair, /^ready (https:\S+)/m);
      const checked = check.slice(2).map((word) => (word === 'https://127.0.0.1:8000' ? url : word));
      // What is known to damage deployed CSEs is left out at a URL, so that not everything was checked.
      assert.match(
        await place.run('cselab', checked),
        /^No deviation in the \d+ of \d+ requirements that were checked/m,
      );
    } finally {
      pair.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null]);
    assert.match(await place.run('node', own.slice(1)), /^. pass 1\n. fail 0$/m);
  });

  test('is in order, by publint and by the types that each way of resolving finds', async () => {
    const { tarball } = place.packed;
    await execute(process.execPath, [tool('publint/src/cli.js'), tarball, '--strict']);
    const types = [tool('@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only'];
    await execute(process.execPath, types);
  });

  test('holds no tests, nothing that only its own tests use, and is small', () => {
    const { paths, size } = place.packed;
    const unwanted = /\.(test|spec)\.|\.tsx$|tsconfig|\/testing\/|hostile|bench|examples/;
    assert.deepEqual(
      paths.filter((path) => unwanted.test(path)),
      [],
    );
    for (const path of ['dist/cli.js', 'dist/sim/index.d.ts', 'dist/sim/index.js.map', 'README.md', 'LICENSE'])
      assert.ok(paths.includes(path), path);
    assert.ok(size < largest, `${size} octets`);
  });

  test('is started by npx in the project itself, after each build', () => {
    accessSync('dist/cli.js', constants.X_OK);
  });

  test('has the page of the console ready, as one script', async () => {
    const pair = place.start('cselab', ['up', '--port', '0', '--console', '--log', 'plain']);
    const ended = once(pair, 'exit');
    try {
      const [, url = ''] = await printed(pair, /^console at (http:\S+)/m);
      const served = async (name: string) => (await fetch(`${url}/${name}`)).text();
      const script = join(place.path, 'node_modules/cselab/dist/sim/console/page/app.js');
      assert.equal(await served('app.js'), readFileSync(script, 'utf8'));
      for (const rule of ['--page:', '.badge {', '.lane {'])
        assert.ok((await served('style.css')).includes(rule), rule);
    } finally {
      pair.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null]);
  });

  test('has the page of check ready, and ends it', async () => {
    const page = place.start('cselab', ['check', 'ae', '--ui']);
    const ended = once(page, 'exit');
    try {
      const [, url = ''] = await printed(page, /^ready (http:[^;]+)/m);
      const script = join(place.path, 'node_modules/cselab/dist/reports/ui/page/app.js');
      assert.equal(await (await fetch(`${url}/app.js`)).text(), readFileSync(script, 'utf8'));
      assert.match(await (await fetch(`${url}/api/scenarios`)).text(), /"documented\/ae\/create"/);
    } finally {
      page.kill('SIGINT');
    }
    assert.deepEqual(await ended, [0, null]);
  });

  test('tells its version and judges the reference CSE', async () => {
    assert.match(await place.run('cselab', ['--version']), /^\d+\.\d+\.\d+\n$/);
    const check = ['check', 'ae', '--report', 'terminal', '--report', 'html'];
    assert.match(await place.run('cselab', check), /^No deviation in the \d+ of \d+ requirements/m);
    const mutants = ['mutants', '--deviation', 'ae.aei.missing', '--report', 'terminal'];
    assert.match(await place.run('cselab', mutants), /100 % identified/);
  });

  test('takes rules and reporters of one’s own', async () => {
    await place.run('cselab', ['rule', 'new', 'house.yaml']);
    assert.match(await place.run('cselab', ['lint', 'house.yaml']), /1 file looked at, 0 problems/);
    const check = ['check', 'container', 'house', '--in-process', '--rules', 'house.yaml', '--report'];
    assert.match(
      await place.run('cselab', [...check, './slowest.js']),
      /^[\d.]+ ms {2}(?:POST|GET|PUT|DELETE) \/\S+$/m,
    );
  });

  test('has what it runs in processes of its own', async () => {
    const explore = ['explore', '--in-process', '--runs', '4', '--seed', '1', '--processes', '2', '--json'];
    assert.equal((JSON.parse(await place.run('cselab', explore)) as { sequences: number }).sequences, 4);
    const generators = ['mutants', '--generators', '--deviation', 'container.cni.one-behind', '--report', 'terminal'];
    assert.match(await place.run('cselab', generators), /100 % found by generators alone/);
  });

  for (const [file, count] of Object.entries({
    'node.test.js': 2,
    'msw.test.js': 1,
    'commonjs.test.cjs': 1,
    'wires.test.mjs': 3,
  }))
    test(`${file} passes under node:test`, async () => {
      const output = await place.run('node', ['--test', '--test-reporter=tap', file]);
      assert.match(output, new RegExp(`^# pass ${count}\n# fail 0$`, 'm'));
    });

  test('vitest.test.js passes under Vitest', async () => {
    const output = await place.run('vitest', ['run', 'vitest.test.js', '--reporter=json']);
    assert.deepEqual(countedIn(output), { numPassedTests: 2, numFailedTests: 0 });
  });

  test('jest.test.js passes under Jest', async () => {
    const env = { NODE_OPTIONS: '--experimental-vm-modules' };
    const output = await place.run('jest', ['jest.test.js', '--json'], env);
    assert.deepEqual(countedIn(output), { numPassedTests: 2, numFailedTests: 0 });
  });

  test('says what to do where an ECMAScript module cannot be required, or a package is missing', async () => {
    await place.write('required.test.cjs', "require('cselab'); test('it', () => {});");
    const jest = place.run('jest', ['--testRegex', 'required.test.cjs', '--json']);
    await assert.rejects(jest, /consists of ECMAScript modules\. Give Jest NODE_OPTIONS=--experimental-vm-modules/);
    const missing = place.run('node', ['--eval', "import('cselab/testcontainers')"]);
    await assert.rejects(missing, /cselab\/testcontainers lacks a package: npm install testcontainers/);
  });

  test('is bundled for a browser by the entry point made for one', async () => {
    const contents = "export { createCse, cseHandlers } from 'cselab/msw';";
    const { metafile } = await build({
      ...{ stdin: { contents, resolveDir: place.path }, absWorkingDir: place.path },
      ...{ bundle: true, platform: 'browser', format: 'esm', write: false, metafile: true, logLevel: 'silent' },
    });
    const own = Object.keys(metafile.inputs).filter((path) => path.startsWith('node_modules/cselab/'));
    assert.deepEqual(own, ['node_modules/cselab/dist/browser/msw.js']);
  });

  const noBrowser = browserRequired() ? undefined : browserMissing();
  test('thermometer.pw.js passes under Playwright Test, in Chromium', { skip: noBrowser ?? false }, async () => {
    const args = ['test', '--config', 'playwright/playwright.config.js', '--reporter=json'];
    const output = await place.run('playwright', args, { CHROMIUM_PATH: findBrowser() });
    const { expected, unexpected, flaky, skipped } = JSON.parse(output).stats;
    assert.deepEqual({ expected, unexpected, flaky, skipped }, { expected: 3, unexpected: 0, flaky: 0, skipped: 0 });
  });

  for (const [resolution, module] of [
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ] as const)
    test(`has types that the strictest TypeScript takes, resolved as by ${resolution}`, async () => {
      const file = `tsconfig.${resolution}.json`;
      await place.write(file, JSON.stringify(strictest(module, resolution)));
      await place.run('tsc', ['-p', file]);
    });
});

/** What the process prints that looks like this; rejects when it ends before. */
async function printed({ stdout }: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  // What it says later is taken too: a command whose output nobody takes any more ends.
  for await (const part of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    text += part;
    const found = pattern.exec(text);
    if (found === null) continue;
    stdout?.resume();
    return found;
  }
  throw new Error(`it ended and said only: ${text}`);
}

/** Of a report as Jest writes it, and Vitest too. */
function countedIn(report: string): object {
  const { numPassedTests, numFailedTests } = JSON.parse(report) as Record<string, unknown>;
  return { numPassedTests, numFailedTests };
}

/** Nothing is left out, not even what the package's own declarations import. */
function strictest(module: string, moduleResolution: string): object {
  const compilerOptions = {
    ...{ noEmit: true, allowJs: true, checkJs: true, strict: true, skipLibCheck: false },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true },
    ...{ module, moduleResolution, target: 'es2023', lib: ['es2023', 'esnext.disposable', 'dom'], types: ['node'] },
  };
  return { compilerOptions, include: ['*.ts', '*.js', 'playwright/*.pw.js'] };
}
