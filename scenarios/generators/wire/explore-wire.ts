import fc from 'fast-check';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Exchange } from '../../engine/messages/exchange.ts';
import type { PoolOptions } from '../../engine/targets/pools.ts';
import { type HeaderList, now, type Target } from '../../engine/targets/target.ts';
import { urlTarget } from '../../engine/targets/url.ts';
import { escapedBytes } from './escaped-bytes.ts';
import { type Breach, breachOf } from './law.ts';
import { ExploredPlace } from './place.ts';
import type { WireCase } from './wire-case.ts';
import { wireCases } from './wire-cases.ts';

export interface WireOptions {
  readonly target: {
    readonly url: string;
    /** Name of the CSE base. */
    readonly base: string;
    readonly dialect?: Dialect;
    /** Sent with every sound request. */
    readonly headers?: HeaderList;
    /** How politely, and in whom it is trusted. */
    readonly connection?: Pick<PoolOptions, 'trust' | 'pace' | 'lanes'>;
  };
  readonly runs: number;
  readonly seed: number;
  /** As a former exploration gave it: begins with what that found. */
  readonly path?: string;
  /** Milliseconds for each answer; 2000 when absent. */
  readonly timeout?: number;
  /** Ends the exploration; what was found until then is kept. */
  readonly signal?: AbortSignal;
  /** Hears of each run. */
  readonly onRun?: (wire: WireCase) => void;
}

export interface WireFound extends Breach {
  /** Latin-1 turned into bytes: to be sent again as they are. */
  readonly exact: Uint8Array;
  /** The same to be read: `GET / HTTP/1.1\r\n`. */
  readonly bytes: string;
  /** What is unusual about the bytes. */
  readonly what: string;
  /** What came back, in a line. */
  readonly answer: string;
  /** Which run of this seed it is, after shrinking. */
  readonly path?: string;
}

export interface WireResult {
  /** Requests that were tried, those of the shrinking not counted. */
  readonly runs: number;
  readonly seed: number;
  readonly found?: WireFound;
  /** Why it ended before all runs were done; the target cannot be explored, or somebody has stopped it. */
  readonly ended?: string;
}

/** Milliseconds after which a target that waits for the rest of a request is left alone. */
const patience = 100;

/**
 * Sends malformed and odd bytes, each over a connection of its own, into an application entity made for that and removed at the
 * end. The first that breaks the law is shrunk. Rejects with defects of ours only.
 */
export async function exploreWire(options: WireOptions): Promise<WireResult> {
  const exploration = new Exploration(options);
  try {
    return await exploration.run();
  } finally {
    await exploration.close();
  }
}

class Exploration {
  readonly #options: WireOptions;
  readonly #target: Target;
  /** For requests that are not complete. */
  readonly #impatient: Target;
  readonly #explored: ExploredPlace;
  #runs = 0;
  #found: WireFound | undefined;
  #ended: string | undefined;

  constructor(options: WireOptions) {
    const { timeout = 2000, seed } = options;
    const { dialect = 'documented', headers = [] } = options.target;
    this.#options = options;
    this.#target = openTarget(options, timeout);
    this.#impatient = openTarget(options, Math.min(patience, timeout));
    this.#explored = new ExploredPlace(this.#target, { dialect, headers, name: `wire${Math.abs(seed)}` });
  }

  async run(): Promise<WireResult> {
    const { runs, seed, path } = this.#options;
    const property = fc.asyncProperty(wireCases(this.#explored.place), (wire) => this.#try(wire));
    const parameters = { numRuns: runs, seed, ...(path !== undefined && { path }) };
    const { counterexamplePath } = await fc.check(property, parameters);
    const found = this.#found && { ...this.#found, ...(counterexamplePath !== null && { path: counterexamplePath }) };
    return {
      runs: this.#runs,
      seed,
      ...(found && { found }),
      ...(this.#ended !== undefined && { ended: this.#ended }),
    };
  }

  /** Throws what ends the exploration, or what is a smaller instance of what was found. */
  async #try(wire: WireCase): Promise<void> {
    const ended = await this.#hindrance();
    if (ended !== undefined) {
      this.#ended ??= ended;
      // What was found is not made any smaller.
      fc.pre(this.#found === undefined);
      throw new Error(ended);
    }
    if (this.#found === undefined) this.#runs += 1;
    this.#options.onRun?.(wire);
    const bytes = Buffer.from(wire.bytes, 'latin1');
    const target = wire.nature === 'unfinished' ? this.#impatient : this.#target;
    const exchange = await target.sendRaw({ bytes }, { watchConnection: 0 });
    const breach = breachOf(wire, exchange, await this.#explored.change());
    if (breach === undefined) return;
    const { what } = wire;
    this.#found = { ...breach, exact: bytes, bytes: escapedBytes(wire.bytes), what, answer: answerIn(exchange) };
    throw new Error(breach.says);
  }

  async #hindrance(): Promise<string | undefined> {
    if (this.#ended !== undefined) return this.#ended;
    if (this.#options.signal?.aborted) return 'It was stopped.';
    const problem = await this.#explored.prepare();
    return problem === undefined ? undefined : `The target cannot be explored: ${problem}`;
  }

  async close(): Promise<void> {
    await this.#explored.remove();
    await Promise.all([this.#target.close(), this.#impatient.close()]);
  }
}

function openTarget({ target: { url, base, connection } }: WireOptions, timeout: number): Target {
  const description = { kind: 'url', url, base, cseId: '', spId: '' } as const;
  return urlTarget({ ...connection, description, timeout, connections: 1, keepAlive: false, startedAt: now() });
}

/** Characters of an answer that are shown. */
const shown = 300;

function answerIn({ answer, failure }: Exchange): string {
  if (answer === undefined) return failure?.message ?? 'nothing';
  const body = answer.body.length > shown ? `${answer.body.slice(0, shown)}…` : answer.body;
  return `${answer.status} ${body}`.trim();
}
