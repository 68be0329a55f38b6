/** Runs `cselab up` with its options. */

import { inspect } from 'node:util';
import type { HttpServer } from '../bindings/http.ts';
import type { Console } from '../console/console.ts';
import { DisturbanceRuleError } from '../disturbance/rule.ts';
import { manualClock, millisecondsOf, type Scheduler, systemClock } from '../environment/clock.ts';
import { defined } from '../environment/defined.ts';
import { type Product, standInName } from '../products/product.ts';
import type { CseNode } from '../topology/node.ts';
import type { NodeSettings } from '../topology/node-settings.ts';
import { consoleOf, outputFor, startOne, type UpContext } from './context.ts';
import { deviationLines, listDeviations } from './deviations.ts';
import { greeting } from './greeting.ts';
import { type HealthOptions, serveHealth } from './health.ts';
import { brokerOf, withMqtt } from './mqtt-server.ts';
import { ListenError, namingFlag, type UpOptions, UpOptionsError } from './options.ts';
import type { RunningNode, UpEvent, UpOutput } from './output/event.ts';
import { withRemotes } from './remote.ts';
import { type DeviationSettings, readUpSettings, type UpSettings } from './settings.ts';

/**
 * Resolves when a signal has stopped the process and everything has ended. Rejects with an UpOptionsError, ConfigurationError,
 * TlsMaterialError, ListenError, TreeFileError or WorkloadFileError.
 */
export async function runUp(options: UpOptions): Promise<void> {
  const product = await productCalled(options.as);
  if (options.listDeviations !== undefined) {
    console.log(await listDeviations(options, product));
    return;
  }
  const output = await outputFor(options);
  const wrong = { product, rules: [...(product?.disturbance ?? []), ...(await disturbanceRules(options))] };
  const broker = await brokerOf(options, output);
  const settings = withMqtt(await readUpSettings(options, wrong), broker?.url);
  for (const message of settings.notes) output.report({ event: 'note', message });
  const running: RunningNode[] = [];
  const going = { started: false };
  // Also while everything starts, so that nothing is left registered.
  const stop = stopSignal();
  const onError = (error: unknown) =>
    output.report({ event: 'error', message: typeof error === 'string' ? error : inspect(error) });
  const health = await healthOf(options, output, { nodes: () => running, started: () => going.started });
  const page = await consoleOf(options, onError);
  const context = { output, page, onError, verbose: options.verbose === true };
  try {
    await startAll(settings, options, { running, context, wrong });
    going.started = true;
    await stop.received;
  } finally {
    // The gateways were started last: they deregister at a backend that is still there.
    stop.forget();
    going.started = false;
    output.end();
    for (const { node } of running.reverse()) await node.close();
    await page?.close();
    await health?.close();
    await broker?.close();
    await settings.certificates?.remove();
  }
  output.report({ event: 'stopped' });
}

/** Undefined without a name. Loads the products on demand. */
async function productCalled(name: string | undefined): Promise<Product | undefined> {
  if (name === undefined) return undefined;
  const { productNames, ProductFileError, productPath, readProduct } = await import('../products/product-file.ts');
  if (productPath(name) === name && !/[./\\]/.test(name)) {
    throw new UpOptionsError(`--as: of ${productNames.join(', ')} none is called "${name}", and it is no product file`);
  }
  return readProduct(name).catch((error: unknown) => {
    throw error instanceof ProductFileError ? new UpOptionsError(`--as: ${error.message}`) : error;
  });
}

/** Listens before anything else does; undefined without the flag. */
async function healthOf(
  { healthPort: port, interface: host }: UpOptions,
  output: UpOutput,
  going: Pick<HealthOptions, 'nodes' | 'started'>,
): Promise<HttpServer | undefined> {
  if (port === undefined) return undefined;
  const server = await serveHealth({ ...going, port, ...defined({ interface: host }) }).catch((error: unknown) => {
    throw new ListenError(host ?? '127.0.0.1', port, error);
  });
  output.report({ event: 'listening', what: 'health', url: `${server.url}/ready` });
  return server;
}

interface UpSession {
  /** Gets each CSE as soon as it has started. */
  readonly running: RunningNode[];
  readonly context: UpContext;
  readonly wrong: DeviationSettings;
}

async function startAll(
  settings: UpSettings,
  options: UpOptions,
  { running, context, wrong }: UpSession,
): Promise<void> {
  const { output, page } = context;
  let isStarting = true;
  const clock = page?.clock ?? (options.manualClock ? manualClock() : systemClock());
  const start = async (one: NodeSettings): Promise<RunningNode> => {
    const role = one === settings.backend ? 'backend' : 'gateway';
    const onDeath = wrong.product && dieOf(wrong.product, output);
    const started = await startOne(one, context, { clock, role, isStarting: () => isStarting, onDeath });
    running.push(started);
    return started;
  };
  const backend = settings.backend && (await start(settings.backend));
  const gateways: RunningNode[] = [];
  for (const one of settings.gateways) gateways.push(await start(settings.urlsChanged ? pointedAt(one, backend) : one));
  const [first = backend] = gateways;
  const seeded = await seed(first, options.tree);
  const registrations = gateways.flatMap(({ node }) => node.registrations);
  await Promise.all(registrations.map((registration) => registration.settled()));
  for (const { node } of running) node.rememberStart();
  isStarting = false;
  for (const { node } of running) await startDisturbing(node);
  if (page !== undefined) output.report({ event: 'listening', what: 'console', url: await showConsole(page, options) });
  await startWorkloadIn(first, options, { clock, report: (event) => output.report(event) });
  const onPurpose = { ...wrong, deviations: await deviationLines(first?.settings.cse.deviations ?? []) };
  const nodes = [...gateways, ...(backend ? [backend] : [])];
  output.greet(greeting({ nodes, certificates: settings.certificates, seeded, onPurpose }));
  reportReady(output, nodes);
}

/** An internal software error (`sysexits.h`). */
const exitOfDead = 70;

/** A request that kills the product ends this process at once: nobody deregisters, and connections just end. */
function dieOf({ name, imitates }: Product, output: UpOutput): (request: string) => void {
  return (request) => {
    output.report({ event: 'error', message: `${standInName(name)} has died of ${request}, as ${imitates} does` });
    process.exit(exitOfDead);
  };
}

function reportReady(output: UpOutput, nodes: readonly RunningNode[]): void {
  const urls = { gateway: [] as string[], backend: [] as string[] };
  for (const { cse, role, node } of nodes) {
    const { url, adminUrl: admin, adminToken } = node;
    const { base, dialect } = node.cse.core.configuration;
    if (url !== undefined) urls[role].push(url);
    output.report({
      ...{ event: 'started', cse, role, dialect: dialect.name, resources: node.cse.core.tree.size },
      ...(url !== undefined && { url: `${url}/${base}` }),
      ...(admin !== undefined && adminToken !== undefined && { admin, adminToken }),
    });
  }
  output.report({ event: 'ready', gateways: urls.gateway, ...defined({ backend: urls.backend[0] }) });
  output.watch(nodes);
}

function showConsole(page: Console, { console: wanted = true }: UpOptions): Promise<string> {
  const port = wanted === true ? 0 : wanted;
  return page.serve(port).catch((error: unknown) => {
    throw new ListenError('127.0.0.1', port, error);
  });
}

/** The number of resources that a tree has added to the first CSE. The reader of trees is loaded on demand. */
async function seed(first: RunningNode | undefined, tree: string | undefined): Promise<number> {
  if (first === undefined || tree === undefined) return 0;
  const { seedTree } = await import('../seeding/tree-file.ts');
  return seedTree(first.node.cse, tree);
}

/** The actual URL of the backend for a gateway whose file names it; the gateway then sends its actual URL, too. */
function pointedAt(settings: NodeSettings, backend: RunningNode | undefined): NodeSettings {
  const url = backend?.node.url;
  if (url === undefined) return settings;
  const { cseId, base } = backend?.node.cse.core.configuration ?? {};
  return withRemotes(settings, (remote) =>
    remote.cseId === cseId && remote.base === base ? { ...remote, poa: [url], ownPoa: [] } : remote,
  );
}

function stopSignal(): { readonly received: Promise<void>; forget(): void } {
  const { ppid, env } = process;
  let alive: NodeJS.Timeout | undefined;
  const received = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
    // npx passes a signal only to its shell, which dies of it. A CSE that does not listen would not keep the process alive, either.
    alive = setInterval(() => env.npm_command === 'exec' && process.ppid !== ppid && resolve(), 500);
  });
  return { received, forget: () => clearInterval(alive) };
}

/** Checked rules, as texts. Rejects with an UpOptionsError that shows the position of an error. */
async function disturbanceRules({ latency, jitter, break: rules = [] }: UpOptions): Promise<string[]> {
  if (rules.length > 0) {
    // Loaded on demand.
    const { readRule } = await import('../disturbance/rule-form.ts');
    for (const rule of rules) namingFlag('--break', [DisturbanceRuleError], () => readRule(rule));
  }
  return [...delays(latency, jitter), ...rules];
}

/** Rejects with an UpOptionsError for a rule that is not for a CSE such as this. */
async function startDisturbing(node: CseNode): Promise<void> {
  await node.startDisturbing().catch((error: unknown) => {
    throw error instanceof DisturbanceRuleError ? new UpOptionsError(`--break: ${error.message}`) : error;
  });
}

function delays(latency: string | undefined, jitter: string | undefined): string[] {
  if (latency === undefined && jitter === undefined) return [];
  const middle = latency === undefined ? 0 : namingFlag('--latency', [RangeError], () => millisecondsOf(latency));
  const spread = jitter === undefined ? 0 : namingFlag('--jitter', [RangeError], () => millisecondsOf(jitter));
  if (spread === 0) return [`latency by=${middle}ms`];
  return [`latency from=${Math.max(0, middle - spread)}ms to=${middle + spread}ms`];
}

/** Different problems of devices that are reported. */
const mostReported = 20;

/** Starts the devices of `--workload`, which push into the first CSE as long as the process lives. Rejects with a WorkloadFileError. */
async function startWorkloadIn(
  first: RunningNode | undefined,
  { workload: file, seed }: UpOptions,
  { clock, report }: { readonly clock: Scheduler; readonly report: (event: UpEvent) => void },
): Promise<void> {
  if (first === undefined || file === undefined) return;
  const { startWorkload } = await import('../workload/workload.ts');
  const { node } = first;
  const cse = node.cse.core.configuration.cseId;
  const reported = new Set<string>();
  const onProblem = (problem: string): void => {
    if (reported.has(problem) || reported.size >= mostReported) return;
    reported.add(problem);
    report({ event: 'log', cse, message: `workload: ${problem}` });
  };
  const target = { core: () => node.cse.core, service: node.service, clock };
  const { devices } = await startWorkload(target, file, { onProblem, ...defined({ seed }) });
  report({ event: 'workload', cse, devices, file });
}
