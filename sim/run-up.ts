/** What `cselab up` does once its options are read. */
import type { HttpServer } from './bindings/http.ts';
import { manualClock, type Scheduler, systemClock } from './clock.ts';
import type { HttpService } from './dialects/http-message.ts';
import { type CseNode, type NodeSettings, startNode } from './topology/node.ts';
import { breakageRules, startBreaking } from './up-breakage.ts';
import type { UpOptions } from './up-command.ts';
import { consoleOf, type UpConsole } from './up-console.ts';
import { faultLines, listFaults } from './up-faults.ts';
import { greeting, type Started } from './up-greeting.ts';
import { serveHealth } from './up-health.ts';
import { productCalled } from './up-product.ts';
import { readUpSettings, type UpSettings, type WrongOnPurpose } from './up-settings.ts';
import { trafficInto } from './up-traffic.ts';

/**
 * Resolves when the process was told to stop and everything has ended. Rejects with an UpOptionsError, ConfigurationError,
 * TlsMaterialError, ListenError, TreeFileError or TrafficFileError.
 */
export async function runUp(options: UpOptions): Promise<void> {
  const product = await productCalled(options.as);
  if (options.listFaults !== undefined) {
    console.log(listFaults(options, product));
    return;
  }
  const wrong = { product, rules: await breakageRules(options) };
  const settings = await readUpSettings(options, wrong);
  for (const note of settings.notes) console.error(note);
  const running: CseNode[] = [];
  const going = { started: false };
  // Also when it comes while everything starts, so that nothing is left registered.
  const stop = toldToStop();
  const health = await healthOf(options, running, going);
  const page = await consoleOf(options);
  try {
    await startAll(settings, { ...options, page }, running, wrong);
    going.started = true;
    await stop.told;
  } finally {
    // The gateways were started last: they deregister at a backend that is still there.
    stop.forget();
    going.started = false;
    for (const node of running.reverse()) await node.close();
    await page?.console.close();
    await health?.close();
    await settings.certificates?.remove();
  }
  console.log('stopped');
}

/** Listens before anything else does; undefined where nobody asks for it. */
async function healthOf(
  { healthPort: port, interface: host }: UpOptions,
  running: readonly CseNode[],
  going: { readonly started: boolean },
): Promise<HttpServer | undefined> {
  if (port === undefined) return undefined;
  const options = {
    nodes: () => running,
    started: () => going.started,
    port,
    ...(host !== undefined && { interface: host }),
  };
  const server = await serveHealth(options).catch((error: unknown) => {
    throw new ListenError(host ?? '127.0.0.1', port, error);
  });
  console.log(`health at ${server.url}/ready`);
  return server;
}

/** The options, and the console where there is one. */
type WithPage = UpOptions & { readonly page: UpConsole | undefined };

async function startAll(
  settings: UpSettings,
  options: WithPage,
  running: CseNode[],
  wrong: WrongOnPurpose,
): Promise<void> {
  const talk = { starting: true };
  const clock = options.page?.clock ?? (options.manualClock ? manualClock() : systemClock());
  const start = async (one: NodeSettings): Promise<Started> => {
    const node = await startOne(one, options, { talk, clock, role: one === settings.backend ? 'backend' : 'gateway' });
    running.push(node);
    options.page?.console.attach(node, nameOf(one));
    return { node, settings: one };
  };
  const backend = settings.backend && (await start(settings.backend));
  const gateways: Started[] = [];
  for (const one of settings.gateways) gateways.push(await start(settings.urlsChanged ? pointedAt(one, backend) : one));
  const [first = backend] = gateways;
  const planted = await plant(first, options.tree);
  const registrations = gateways.flatMap(({ node }) => node.registrations);
  await Promise.all(registrations.map((registration) => registration.settled()));
  for (const node of running) node.rememberStart();
  talk.starting = false;
  for (const node of running) await startBreaking(node);
  if (options.page !== undefined) console.log(`console at ${await served(options.page)}`);
  const traffic = await trafficInto(first, options, clock);
  if (traffic !== undefined) console.log(traffic);
  const onPurpose = { ...wrong, faults: faultLines(options.fault ?? []) };
  console.log(greeting({ gateways, backend, certificates: settings.certificates, planted, onPurpose }));
}

const nameOf = ({ cse }: NodeSettings): string => cse.cseId ?? '';

function served({ console: page, port }: UpConsole): Promise<string> {
  return page.serve(port).catch((error: unknown) => {
    throw new ListenError('127.0.0.1', port, error);
  });
}

/** How many resources a tree has put below the first CSE. The reader of trees is loaded for those who have one. */
async function plant(first: Started | undefined, tree: string | undefined): Promise<number> {
  if (first === undefined || tree === undefined) return 0;
  const { plantTree } = await import('./tree-file.ts');
  return plantTree(first.node.cse, tree);
}

/** Where the backend really listens, for a gateway whose file names it; its own URL is then given to it as well. */
function pointedAt(settings: NodeSettings, backend: Started | undefined): NodeSettings {
  const url = backend?.node.url;
  if (settings.registration === undefined || url === undefined) return settings;
  const { cseId, base } = backend?.node.cse.core.configuration ?? {};
  const remoteCses = settings.registration.remoteCses.map((remote) =>
    remote.cseId === cseId && remote.base === base ? { ...remote, poa: [url], ownPoa: [] } : remote,
  );
  return { ...settings, registration: { ...settings.registration, remoteCses } };
}

interface Beginning {
  readonly talk: { readonly starting: boolean };
  readonly clock: Scheduler;
  readonly role: 'gateway' | 'backend';
}

function startOne(
  settings: NodeSettings,
  { verbose, page }: WithPage,
  { talk, clock, role }: Beginning,
): Promise<CseNode> {
  const name = nameOf(settings);
  const log = (line: string): void => {
    // The greeting says it of those that succeed at once.
    if (!talk.starting || !line.startsWith('registered ')) console.error(`${name}: ${line}`);
  };
  const seen = page?.console.surroundings(name, role);
  const whole = (service: HttpService) => seen?.around(service) ?? service;
  const around = (service: HttpService) => (verbose === undefined ? whole(service) : logged(whole(service), name));
  return startNode(settings, { log, clock, onError: console.error, ...seen, around }).catch((error: unknown) => {
    const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
    const { interface: host = '127.0.0.1', port: wanted = 0 } = settings.http ?? {};
    const listens = settings.http ?? settings.admin;
    throw code?.startsWith('E') && listens ? new ListenError(address ?? host, port ?? wanted, error) : error;
  });
}

/** The address cannot be listened on: taken, not allowed, or not this machine's. */
class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: unknown) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const advice = code === 'EADDRINUSE' ? 'something else listens there; choose another port' : code;
    super(`cannot listen on ${host} port ${port}: ${advice}`, { cause });
  }
}

function logged(service: HttpService, name: string): HttpService {
  return {
    refuse: (error) => service.refuse(error),
    async handle(request) {
      const answer = await service.handle(request);
      const code = answer.headers['X-M2M-RSC'] ?? answer.headers['x-m2m-rsc'] ?? '';
      console.error(`${name}: ${request.method} ${request.target} ${answer.status} ${code}`);
      return answer;
    },
  };
}

function toldToStop(): { readonly told: Promise<void>; forget(): void } {
  // A CSE that does not listen would not keep the process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  const told = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  return { told, forget: () => clearInterval(alive) };
}
