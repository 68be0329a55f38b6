import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { ServerOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { loadScenarios } from './files/load.ts';
import { type Plan, plan, type Selection } from './files/plan.ts';
import type { Need } from './grammar/vocabulary.ts';
import type { Target } from './messages/target.ts';
import type { RunEvent, RunResult, ScenarioResult } from './results/result.ts';
import { openUrl, type RunLimits } from './running/open-url.ts';
import { type Open, run } from './running/run.ts';
import { Installations, type Opened } from './running/scenario/installations.ts';
import type { RunOptions } from './running/workers.ts';
import type { PauseClock } from './targets/exchanging/clocks.ts';
import { type Installation, noCertificates } from './targets/installation.ts';
import { bodyOf, httpServer, httpsServer } from './targets/test-servers.ts';
import { prepareUrl, type UrlChoice } from './targets/url-choice.ts';

export interface TestRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A deviation of the server: an answer instead of its own, or `hang up`, or `say nothing`. */
export type Deviation = (request: TestRequest) => TestAnswer | 'hang up' | 'say nothing' | undefined;

/** A minimal CSE: creation, retrieval and deletion by path, everything kept in a map. */
export async function testCse(
  t: TestContext,
  deviate: Deviation = () => undefined,
  tls?: ServerOptions,
): Promise<{ url: string; tree: Map<string, unknown>; log: string[] }> {
  const tree = new Map<string, unknown>([['/onem2m', { 'm2m:cb': { csi: '/test-cse', rn: 'onem2m' } }]]);
  const log: string[] = [];
  const listener: RequestListener = async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: (await bodyOf(incoming)).toString() };
    log.push(`${method} ${path}`);
    const deviation = deviate(request);
    if (deviation === 'say nothing') return;
    if (deviation === 'hang up') {
      incoming.socket.destroy();
      return;
    }
    const { status, body, headers: extra } = deviation ?? answerOf(request, tree);
    response.writeHead(status, { 'x-m2m-rsc': `${status}0`.replace(/^20(\d)0$/, '200$1'), ...extra });
    response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  };
  const url = tls === undefined ? await httpServer(t, listener) : await httpsServer(t, tls, listener);
  return { url, tree, log };
}

/** The answers of the minimal CSE. */
export function answerOf({ method, path, body }: TestRequest, tree: Map<string, unknown>): TestAnswer {
  const known = tree.get(path);
  if (known === undefined) return { status: 404, body: { 'm2m:dbg': 'not here' } };
  if (method === 'GET') return { status: 200, body: known };
  if (method === 'DELETE') {
    for (const key of tree.keys()) if (key === path || key.startsWith(`${path}/`)) tree.delete(key);
    return { status: 200 };
  }
  const [root = '', attributes = {}] = Object.entries(JSON.parse(body) as Record<string, { rn?: string }>)[0] ?? [];
  const name = attributes.rn ?? `made-${tree.size}`;
  if (tree.has(`${path}/${name}`)) return { status: 409 };
  const created = { [root]: { ...attributes, rn: name, ri: `r${tree.size}`, ct: '2017-03-02T16:12:53.350093+00:00' } };
  tree.set(`${path}/${name}`, created);
  return { status: 201, body: created };
}

const catalogue = `specification: Test
level: documented
sections:
  - section: Endpoints
    requirements:
      row 1: { doc.one: one }
      row 2: { doc.two: two }
      row 3: { doc.three: three }
      row 4: { doc.hidden: { says: hidden, untestable: cannot be seen } }
    gaps:
      errors: { gap.one: left open }
`;
const standard = `specification: Standard
level: standard
sections:
  - section: Endpoints
    requirements:
      TS-0004 7: { std.one: { says: as the standard has it, answers: [SUB/CRE/005] }, std.two: that as well }
`;

/** Plans the scenarios of one file, given as YAML, with the requirements doc.one to doc.three, doc.hidden, gap.one, std.one and std.two. */
export function planOf(t: TestContext, yaml: string, selection: Selection = {}): Plan {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-run-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const requirements = join(folder, 'requirements');
  mkdirSync(requirements);
  writeFileSync(join(requirements, 'interface.yaml'), catalogue);
  writeFileSync(join(requirements, 'onem2m.yaml'), standard);
  writeFileSync(join(folder, 'file.yaml'), yaml);
  return plan(loadScenarios([join(folder, 'file.yaml')], { requirements }), selection);
}

/** The text of a file with one scenario for each list of steps; `head` holds actors and given. */
export function fileOf(scenarios: Readonly<Record<string, string>>, head = ''): string {
  const indented = (text: string) => text.trim().replace(/^/gm, '      ');
  const texts = Object.entries(scenarios).map(
    ([key, steps]) => `  ${key}:\n    title: ${key}\n    steps:\n${indented(steps)}`,
  );
  return `feature: test\n${head}scenarios:\n${texts.join('\n')}\n`;
}

/** Runs a plan against a URL and collects its events. */
export function runPlan(
  chosen: Plan,
  url: string,
  options: Partial<RunOptions> & {
    readonly timeout?: number;
    readonly onEvent?: (event: RunEvent) => void;
    readonly choice?: Omit<UrlChoice, 'url'>;
    readonly clock?: PauseClock;
  } = {},
): Promise<Collected> {
  const { timeout = 2000, choice = {}, clock, ...rest } = options;
  const open = (startedAt: number, run: string) =>
    openTestTarget(
      { url, lifetime: 'none', ...choice },
      { connections: 4, timeout, startedAt, run, ...(clock && { clock }) },
    );
  return collect(chosen, open, rest);
}

interface Collected {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  readonly scenario: (key: string) => ScenarioResult;
}

/** Runs a plan against an opened target, and collects its events. */
export async function collect(
  chosen: Plan,
  open: Open,
  { onEvent, ...rest }: Partial<RunOptions> & { readonly onEvent?: (event: RunEvent) => void } = {},
): Promise<Collected> {
  const events: RunEvent[] = [];
  for await (const event of run(chosen, open, { jobs: 4, ...rest })) {
    events.push(event);
    onEvent?.(event);
  }
  const last = events.at(-1);
  if (last?.type !== 'run finished') throw new Error('the run has no result');
  const { result } = last;
  const scenario = (key: string) => {
    const found = result.scenarios.find(({ id }) => id === `file/${key}`);
    if (found === undefined) throw new Error(`no scenario ${key}`);
    return found;
  };
  return { result, events, scenario };
}

/** Opens a URL like a run, without waiting for the target. */
export async function openTestTarget(
  choice: UrlChoice,
  limits: Omit<RunLimits, 'run'> & Partial<Pick<RunLimits, 'run'>>,
): Promise<Opened> {
  return openUrl(await prepareUrl({ waitForTarget: 0, ...choice }), { run: 'abc1234', ...limits });
}

/** Installations of one target. */
export function installationsOf(gateway: Target, more: Partial<Installation> = {}): Installations {
  const has = more.has ?? new Set<Need>(['plain HTTP', 'any originator']);
  const usual = { name: 'target', dialect: 'documented', release: '3', certificates: noCertificates } as const;
  const open = async () => ({ ...usual, gateway, ...more, has });
  return new Installations({ offers: [{ name: 'target', has, open }], lacking: String, close: async () => {} });
}

/** The main CSE of a target that answered. */
export function gatewayOf(opened: Opened): Target {
  const [main] = 'installations' in opened ? opened.installations.opened() : [];
  if (main === undefined) throw new Error('the target did not answer');
  return main.gateway;
}
