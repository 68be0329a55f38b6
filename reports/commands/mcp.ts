/** `cselab mcp`: the commands that agents need, as tools of the Model Context Protocol over stdio. */
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { dialects, version } from '../../scenarios/words.ts';
import { command, valued, written } from '../../sim/command-line/flag.ts';
import type { Pair } from '../../sim/topology/pair.ts';
import { type Method, RpcError, serveLines } from '../mcp/json-rpc.ts';
import { type Io, io, withIo } from '../writing/io.ts';
import { main } from './main.ts';

const allow = valued('<host>', 'a host besides this computer whose CSEs may be used; repeatable').repeatable();

const examples = `
An agent starts it and writes JSON-RPC messages to it, one a line; it ends with its input. Nothing risky is ever sent, and
hosts other than this computer are asked only where --allow names them.

Examples:
  cselab mcp
  cselab mcp --allow gateway.example`;

export const define = command({
  help: 'be a Model Context Protocol server over stdin and stdout: probe, check, explain, show, simulate',
  flags: { '': { allow } },
  examples,
  async run({ allow = [] }) {
    const { stdin, stdout } = io();
    const session = new Session(allow);
    try {
      await serveLines(stdin as AsyncIterable<unknown>, (line) => stdout.write(line), session.methods);
    } finally {
      await session.close();
    }
  },
});

/** Cannot be read as a flag. */
const word = z.string().regex(/^[^-]/).max(1000);
const dialect = z.enum(dialects).default('documented');
const report = word.describe('path of a JSON report, as check names it');

const names = {
  base: word.optional().describe('name of its CSE base'),
  cseId: word.optional().describe('its CSE identifier'),
  originator: word.optional().describe('the originator of every request'),
  admin: word.optional().describe('an originator that may do everything'),
};

const tools = {
  probe: {
    description: 'Find out what a CSE is and can do. Sends about 30 requests that only read.',
    shape: z.strictObject({ url: z.url(), ...names }),
  },
  check: {
    description:
      'Check a CSE by the requirements of its dialect. Creates resources of its own there, and removes them.',
    shape: z.strictObject({
      ...{ url: z.url().optional().describe('the embedded reference CSE unless given'), dialect, ...names },
      ids: z.array(word).max(100).default([]).describe('requirements, scenarios or prefixes; all unless given'),
      seconds: z.int().min(1).max(600).default(120).describe('after which the run is cut short'),
    }),
  },
  explain: {
    description: 'Explain one requirement, with a valid and an invalid example.',
    shape: z.strictObject({ id: word.describe('a requirement'), report: report.optional() }),
  },
  show: {
    description: 'List the failures of a report, or show one in full, with the exchange.',
    shape: z.strictObject({ report, id: word.optional().describe('failure, requirement or scenario') }),
  },
  simulate: {
    description: 'Start a gateway and a backend CSE in memory, at free ports of this computer, or stop them.',
    shape: z.strictObject({
      dialect,
      deviations: z.array(z.string()).max(50).default([]).describe('ids of deviations of the gateway'),
      stop: z.string().optional().describe('the simulation to end; without it, one is started'),
    }),
  },
} as const;

type ToolInput<Name extends keyof typeof tools> = z.infer<(typeof tools)[Name]['shape']>;

const commands = {
  probe: () => import('./probe.ts'),
  check: () => import('./check.ts'),
  explain: () => import('./explain.ts'),
  show: () => import('./show.ts'),
};

/** Revisions of the protocol that are alike in all that is used here, latest first. */
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** Characters of a result. */
const longestText = 100_000;
const mostPairs = 8;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

class Session {
  readonly #allowed: ReadonlySet<string>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'cselab-mcp-'));
  readonly #pairs = new Map<string, Pair>();
  #next = 1;

  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map((host) => host.toLowerCase()));
  }

  readonly methods: ReadonlyMap<string, Method> = new Map<string, Method>([
    ['initialize', ({ protocolVersion }) => greeting(String(protocolVersion))],
    ['ping', () => ({})],
    ['tools/list', () => ({ tools: toolList() })],
    ['tools/call', ({ name, arguments: input = {} }, signal) => this.#call(String(name), input, signal)],
  ]);

  async close(): Promise<void> {
    await Promise.all([...this.#pairs.values()].map((pair) => pair.close()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Errors of a tool are its result: agents read them, and try again. */
  async #call(name: string, input: unknown, signal: AbortSignal): Promise<object> {
    if (!Object.hasOwn(tools, name)) throw new RpcError('invalid params', `There is no tool ${JSON.stringify(name)}.`);
    const { data, error } = tools[name as keyof typeof tools].shape.safeParse(input);
    if (data === undefined) return toolResult(z.prettifyError(error), true);
    const host = 'url' in data && data.url !== undefined ? new URL(data.url).hostname.toLowerCase() : 'localhost';
    if (!loopback.test(host) && !this.#allowed.has(host))
      return toolResult(`${host} is not asked: cselab mcp --allow ${host} permits it.`, true);
    try {
      if ('deviations' in data) return toolResult(await this.#simulate(data));
      return await ('seconds' in data ? this.#check(data, signal) : this.#read(name as 'probe', data, signal));
    } catch (problem) {
      return toolResult(problem instanceof Error ? problem.message : String(problem), true);
    }
  }

  async #read(name: 'probe' | 'explain' | 'show', input: object, signal: AbortSignal): Promise<object> {
    const { url, id, report, ...flags } = input as Partial<ToolInput<'probe'> & ToolInput<'explain'>>;
    const args = { probe: [url], explain: [id, report], show: [report, id] }[name];
    const { code, stdout, stderr } = await runCommand(name, [...args, ...asFlags(flags)], signal);
    return toolResult(code === 0 ? stdout : `${stdout}\n${stderr}`, code !== 0);
  }

  /** No verdict is an error of the tool; a missing one may be. */
  async #check({ ids, seconds, ...flags }: ToolInput<'check'>, signal: AbortSignal): Promise<object> {
    const report = join(this.#folder, `report-${this.#next++}.json`);
    const args = [...ids, ...asFlags(flags), '--report', 'terminal', '--report', `json=${report}`];
    const limit = AbortSignal.timeout(seconds * 1000);
    const { code, stdout, stderr } = await runCommand('check', args, AbortSignal.any([signal, limit]));
    const end = `exit code ${code}${limit.aborted ? `, cut short after ${seconds} s` : ''}`;
    const note = existsSync(report) ? `, report ${report}` : '';
    return toolResult([stdout, code > 1 && stderr, end + note].filter(Boolean).join('\n'), code === 2 || code === 3);
  }

  async #simulate({ dialect, deviations, stop }: ToolInput<'simulate'>): Promise<string> {
    if (stop !== undefined) {
      const pair = this.#pairs.get(stop) ?? fail(`There is no simulation ${JSON.stringify(stop)}.`);
      this.#pairs.delete(stop);
      await pair.close();
      return `${stop} has ended.`;
    }
    if (this.#pairs.size >= mostPairs) fail(`${mostPairs} simulations run; stop one of them.`);
    const { startPair } = await import('../../sim/topology/pair.ts');
    const pair = await startPair({ dialect, gateway: { deviations } });
    const simulation = `pair-${this.#next++}`;
    this.#pairs.set(simulation, pair);
    const [gateway, backend] = [pair.gateway, pair.backend].map(({ url, base, cseId }) => ({ url, base, cseId }));
    return JSON.stringify({ simulation, gateway, backend });
  }
}

const asFlags = (flags: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [written(name), value]));

function fail(message: string): never {
  throw new Error(message);
}

const greeting = (requested: string) => ({
  protocolVersion: revisions.includes(requested) ? requested : revisions[0],
  ...{ capabilities: { tools: {} }, serverInfo: { name: 'cselab', version: version() } },
});

const toolList = () =>
  Object.entries(tools).map(([name, { description, shape }]) => ({
    ...{ name, description, inputSchema: z.toJSONSchema(shape, { io: 'input' }) },
    annotations: { readOnlyHint: name !== 'check' && name !== 'simulate' },
  }));

function toolResult(all: string, isError = false): object {
  const more = all.length - longestText;
  const text = more > 0 ? `${all.slice(0, longestText)}\n… (${more} characters more)` : all;
  return { content: [{ type: 'text', text: text.trim() }], isError };
}

/** Runs a command with streams of its own, which an abort interrupts as Ctrl-C does. */
async function runCommand(name: keyof typeof commands, args: ReadonlyArray<string | undefined>, signal: AbortSignal) {
  const output = { stdout: '', stderr: '' };
  const signals = new EventEmitter();
  const own: Io = {
    ...{ stdin: Readable.from([]), env: { ...io().env, NO_COLOR: '1' }, exit() {}, off: signals.off.bind(signals) },
    stdout: { write: (text) => Object.assign(output, { stdout: output.stdout + text }) },
    stderr: { write: (text) => Object.assign(output, { stderr: output.stderr + text }) },
    on(interruption, listener) {
      signals.on(interruption, listener);
      if (signal.aborted && interruption === 'SIGINT') listener();
    },
  };
  signal.addEventListener('abort', () => signals.emit('SIGINT'), { once: true });
  const words = [name, ...args.filter((one) => one !== undefined)];
  const code = await withIo(own, () => main(words, { '': { [name]: [name, commands[name]] } }, version()));
  return { code, ...output };
}
