import { defined } from '../../engine/basics/defined.ts';
import type { Conversation, Way } from '../../engine/messages/target.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { Judging, Settings } from '../search/campaign.ts';
import { firstFind, type Trial } from '../search/first-find.ts';
import { type Shrunk, TargetLost } from '../search/seeded.ts';
import { type Breach, breachOf, citedIn, type Demands } from './law.ts';
import type { SortedCase, SplitCase } from './listed/wire-case.ts';
import type { Changed, ExploredPlace, Hindrance, WireSite } from './place.ts';
import { converse, outOfStep, splitEverywhere, turnOf, withSentinel } from './sentinel.ts';
import { splitCases, wireCases } from './wire-cases.ts';
import type { WireEvent, WireStatistics } from './wire-exploration.ts';

export interface WireSearchOptions extends Settings<WireEvent>, Pick<Judging, 'command'> {
  readonly site: WireSite;
  readonly explored: ExploredPlace;
  readonly statistics: WireStatistics;
  readonly demands: Demands;
}

/** How bytes break the law. */
interface Broken {
  readonly breach: Breach;
  readonly exchange: Exchange;
  /** All answers of the connection, where there was more than one request. */
  readonly conversation?: Conversation;
  readonly changed?: Changed | undefined;
}

/** Bytes that break the law, the smallest of them, and how many they were at first. */
export interface FoundBytes extends Shrunk<SortedCase, Broken> {
  readonly atFirst: number;
}

/** Milliseconds after which a target that waits for the rest of a request is left alone, at least. */
const patience = 100;

/** Sends malformed and odd bytes, each over a connection of its own, until some break the law, which are then made small. */
export class WireSearch {
  readonly #options: WireSearchOptions;
  #hindrance: Hindrance | undefined;

  constructor(options: WireSearchOptions) {
    this.#options = options;
  }

  async search(): Promise<{ readonly found?: FoundBytes; readonly hindrance?: Hindrance }> {
    const { found, small } = await firstFind(this.#options, this.#trial());
    const atFirst = Math.max(found?.one.bytes.length ?? 0, small?.one.bytes.length ?? 0);
    return defined({ found: small && { ...small, atFirst }, hindrance: this.#hindrance });
  }

  #trial(): Trial<SortedCase, Broken, WireEvent> {
    const { place } = this.#options.explored;
    return {
      ...{ made: wireCases(place), examples: splitCases(place), isKnown: true },
      tried: (wire) => this.#tried(wire, { counts: true }),
      again: (wire) => this.#tried(wire),
      found: ({ one, shown }) => ({ type: 'failure found', says: shown.breach.says, what: one.what }),
      smaller: ({ bytes }, attempts) => ({ type: 'shrunk', bytes: bytes.length, attempts }),
    };
  }

  /** Sends the same once more; what it breaks then. */
  async again(wire: SortedCase): Promise<Breach | undefined> {
    if ((await this.#options.explored.prepare()) !== undefined) return undefined;
    return (await this.#judge(wire))?.breach;
  }

  /** Rejects with TargetLost where what is explored is not as it has to be, and cannot be made so. */
  async #tried(wire: SortedCase, counting?: { readonly counts: boolean }): Promise<Broken | undefined> {
    this.#hindrance ??= await this.#options.explored.prepare();
    if (this.#hindrance !== undefined) throw new TargetLost('nothing more can be sent');
    return this.#judge(wire, counting);
  }

  /** Undefined where everything is in order, or the bytes may not be sent. */
  async #judge(wire: SortedCase, { counts = false } = {}): Promise<Broken | undefined> {
    const { site, explored, statistics, demands, tellHowFar } = this.#options;
    const { gateway, dialect } = site.installation;
    const bytes = { bytes: Buffer.from(wire.bytes, 'latin1') };
    if ((await gateway.objection(bytes, site.way)) !== undefined) {
      statistics.withheld += 1;
      return undefined;
    }
    if (isSplit(wire)) return this.#judgeSplit(wire);
    const exchange = await gateway.send(bytes, this.#way(wire));
    if (counts) {
      statistics.sent(wire, citedIn(dialect, wire.requirement ?? 'gap'), exchange);
      tellHowFar();
    }
    const breach = breachOf(wire, exchange, await explored.change(), (one) => demands(citedIn(dialect, one)));
    if (breach === undefined) return wire.nature === 'unfinished' ? undefined : this.#judgeSentinels(wire);
    const cited = { ...breach, requirement: citedIn(dialect, breach.requirement) };
    return { breach: cited, exchange, changed: explored.changed };
  }

  /** The next request on the same connection gets its own answer, whenever it is sent; or the connection is closed. */
  async #judgeSentinels(wire: SortedCase): Promise<Broken | undefined> {
    const { site, explored, timeout } = this.#options;
    const { gateway } = site.installation;
    const sent = { bytes: Buffer.from(wire.bytes, 'latin1'), methods: ['GET'], within: timeout };
    for (const when of ['at once', 'after the answer'] as const) {
      const turns = withSentinel(sent, explored.place, when);
      const bytes = { bytes: Buffer.concat(turns.map((turn) => turn.bytes)) };
      if ((await gateway.objection(bytes, site.way)) !== undefined) continue;
      const conversation = await converse(site, turns);
      const says = outOfStep(conversation);
      if (says === undefined) continue;
      const exchange = await gateway.send(bytes, this.#way(wire));
      const breach = { kind: 'out of step', says: `${says} (sent ${when})`, requirement: 'gap' } as const;
      return { breach, exchange, conversation };
    }
    // A creation that was answered by 201 has changed the tree once more.
    await explored.change();
    return undefined;
  }

  async #judgeSplit(wire: SplitCase): Promise<Broken | undefined> {
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
    return { breach: { kind: 'split apart', says, requirement: 'gap' }, exchange, conversation };
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
