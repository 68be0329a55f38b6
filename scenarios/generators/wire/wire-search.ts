import fc from 'fast-check';
import type { Exchange } from '../../engine/messages/exchange.ts';
import type { Conversation, Way } from '../../engine/targets/target.ts';
import type { Settings } from '../campaign.ts';
import { type Breach, breachOf, citedIn, type Demands } from './law.ts';
import type { Changed, ExploredPlace, Hindrance, Site } from './place.ts';
import { converse, outOfStep, splitEverywhere, turnOf, withSentinel } from './sentinel.ts';
import { type SortedCase, type SplitCase, sentinelOf } from './wire-case.ts';
import { splitCases, wireCases } from './wire-cases.ts';
import type { WireStatistics } from './wire-exploration.ts';

export interface WireSearchOptions extends Pick<Settings<never>, 'seed' | 'runs' | 'path' | 'shrinkAttempts'> {
  readonly site: Site;
  readonly explored: ExploredPlace;
  readonly statistics: WireStatistics;
  /** Milliseconds for each answer. */
  readonly timeout: number;
  readonly demands: Demands;
  /** Whether no further request is to be tried. */
  readonly enough: () => boolean;
  readonly interrupted: () => boolean;
  readonly onRun: () => void;
  /** What was found, and anything smaller of the kind. */
  readonly onFound: (found: FoundBytes, attempts: number) => void;
}

/** Bytes that break the law. */
export interface FoundBytes {
  readonly wire: SortedCase;
  readonly breach: Breach;
  readonly exchange: Exchange;
  /** All answers of the connection, where there was more than one request. */
  readonly conversation?: Conversation;
  readonly changed?: Changed | undefined;
}

export interface WireSearched {
  /** The smallest, and how many bytes there were at first. */
  readonly found?: FoundBytes & { readonly path: string; readonly atFirst: number };
  /** Requests that shrinking tried. */
  readonly attempts: number;
  /** Whether shrinking came to its own end. */
  readonly smallest: boolean;
  readonly hindrance?: Hindrance;
}

/** Milliseconds after which a target that waits for the rest of a request is left alone, at least. */
const patience = 100;

/** Sends malformed and odd bytes, each over a connection of its own, until some break the law, which are then made small. */
export class WireSearch {
  readonly #options: WireSearchOptions;
  #found: FoundBytes | undefined;
  #atFirst = 0;
  #attempts = 0;
  #hindrance: Hindrance | undefined;
  #isCutShort = false;

  constructor(options: WireSearchOptions) {
    this.#options = options;
  }

  async search(): Promise<WireSearched> {
    const { seed, path, runs, explored } = this.#options;
    const property = fc.asyncProperty(wireCases(explored.place), (wire) => this.#try(wire));
    const examples = splitCases(explored.place).map((split): [SortedCase] => [split]);
    const only = path === undefined ? { numRuns: examples.length + runs } : { numRuns: 1, path, endOnFailure: true };
    const { counterexamplePath } = await fc.check(property, { seed, examples, ...only });
    const { wire } = this.#found ?? {};
    const found = this.#found && {
      ...this.#found,
      path: counterexamplePath ?? '',
      atFirst: Math.max(this.#atFirst, wire?.bytes.length ?? 0),
    };
    return {
      attempts: this.#attempts,
      smallest: !this.#isCutShort && path === undefined,
      ...(found && { found }),
      ...(this.#hindrance && { hindrance: this.#hindrance }),
    };
  }

  /** Sends the same once more; what it breaks then. */
  async again(wire: SortedCase): Promise<Breach | undefined> {
    if ((await this.#options.explored.prepare()) !== undefined) return undefined;
    return (await this.#judge(wire))?.breach;
  }

  /** Throws what ends the search, or what is a smaller instance of what was found. */
  async #try(wire: SortedCase): Promise<void> {
    if (!(await this.#goesOn())) {
      // What was found is not made any smaller.
      fc.pre(this.#found === undefined);
      throw new Error('the search is over');
    }
    const found = await this.#judge(wire);
    if (found === undefined) return;
    if (this.#found === undefined) this.#atFirst = wire.bytes.length;
    this.#found = found;
    this.#options.onFound(found, this.#attempts);
    throw new Error(found.breach.says);
  }

  async #goesOn(): Promise<boolean> {
    const { enough, interrupted, explored } = this.#options;
    if (this.#hindrance !== undefined) return false;
    const isOver =
      this.#found === undefined ? enough() : interrupted() || this.#attempts >= this.#options.shrinkAttempts;
    if (isOver) {
      this.#isCutShort = this.#found !== undefined;
      return false;
    }
    this.#hindrance = await explored.prepare();
    return this.#hindrance === undefined;
  }

  /** Undefined where everything is in order, or the bytes may not be sent. */
  async #judge(wire: SortedCase): Promise<FoundBytes | undefined> {
    const { site, explored, statistics, demands, onRun } = this.#options;
    const { gateway, dialect } = site.installation;
    const bytes = { bytes: Buffer.from(wire.bytes, 'latin1') };
    if ((await gateway.objection(bytes, site.way)) !== undefined) {
      statistics.withheld += 1;
      return undefined;
    }
    if (isSplit(wire)) return this.#judgeSplit(wire);
    const exchange = await gateway.send(bytes, this.#way(wire));
    if (this.#found === undefined) statistics.sent(wire, citedIn(dialect, wire.requirement ?? 'gap'), exchange);
    else this.#attempts += 1;
    onRun();
    const breach = breachOf(wire, exchange, await explored.change(), (one) => demands(citedIn(dialect, one)));
    if (breach === undefined) return wire.nature === 'unfinished' ? undefined : this.#judgeSentinels(wire);
    const cited = { ...breach, requirement: citedIn(dialect, breach.requirement) };
    return { wire, breach: cited, exchange, changed: explored.changed };
  }

  /** The next request on the same connection gets its own answer, whenever it is sent; or the connection is closed. */
  async #judgeSentinels(wire: SortedCase): Promise<FoundBytes | undefined> {
    const { site, explored, timeout } = this.#options;
    const { gateway } = site.installation;
    const sentinel = sentinelOf(explored.place);
    for (const when of ['at once', 'after the answer'] as const) {
      const turns = withSentinel(wire.bytes, { sentinel, when, within: timeout });
      const bytes = { bytes: Buffer.concat(turns.map((turn) => turn.bytes)) };
      if ((await gateway.objection(bytes, site.way)) !== undefined) continue;
      const conversation = await converse(site, turns);
      const says = outOfStep(conversation);
      if (says === undefined) continue;
      const exchange = await gateway.send(bytes, this.#way(wire));
      const breach = { kind: 'out of step', says: `${says} (sent ${when})`, requirement: 'gap' } as const;
      return { wire, breach, exchange, conversation };
    }
    // A creation that was answered by 201 has changed the tree once more.
    await explored.change();
    return undefined;
  }

  async #judgeSplit(wire: SplitCase): Promise<FoundBytes | undefined> {
    const { site, explored, timeout, statistics, enough } = this.#options;
    const turn = turnOf(wire.split, timeout);
    const inPieces = { bytes: turn.bytes, cuts: [1] };
    if ((await site.installation.gateway.objection(inPieces, site.way)) !== undefined) {
      statistics.withheld += 1;
      return undefined;
    }
    const { apart } = await splitEverywhere(site, turn, enough);
    await explored.change();
    statistics.split += 1;
    if (apart === undefined) return undefined;
    const { says, conversation } = apart;
    const exchange = await site.installation.gateway.send({ bytes: turn.bytes }, this.#way(wire));
    return { wire, breach: { kind: 'split apart', says, requirement: 'gap' }, exchange, conversation };
  }

  #way({ nature }: SortedCase): Way {
    const { site, explored, timeout } = this.#options;
    if (nature !== 'unfinished') return { ...site.way, timeout };
    return { ...site.way, timeout: Math.min(timeout, Math.max(patience, 4 * explored.slowest)) };
  }
}

function isSplit(wire: SortedCase): wire is SplitCase {
  return wire.part === 'segments';
}
