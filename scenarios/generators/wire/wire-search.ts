import { defined } from '../../engine/basics/defined.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { isSuccess } from '../../engine/judging/answer.ts';
import type { Conversation, ExactBytes, Way } from '../../engine/messages/target.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { CheckCriteria, Settings } from '../search/campaign.ts';
import { firstFind, type Trial } from '../search/first-find.ts';
import { type Shrunk, TargetLost } from '../search/seeded.ts';
import type { CaseParts, ClassifiedCase, WireCase } from './listed/wire-case.ts';
import { converse, outOfStep, splitEverywhere, turnOf, withSentinel } from './sentinel.ts';
import { splitCases, wireCases } from './wire-cases.ts';
import type { WireEvent, WireStatistics } from './wire-exploration.ts';
import type { Changed, Hindrance, WireFixture, WireSession } from './wire-fixture.ts';

export interface WireSearchOptions extends Settings<WireEvent>, Pick<CheckCriteria, 'command'> {
  readonly session: WireSession;
  readonly fixture: WireFixture;
  readonly statistics: WireStatistics;
  readonly demands: IsDemanded;
}

/** A breach, with its evidence. */
interface BreachFound {
  readonly breach: Breach;
  readonly exchange: Exchange;
  /** All answers of the connection, if there was more than one request. */
  readonly conversation?: Conversation;
  readonly changed?: Changed | undefined;
}

/** The smallest bytes that cause a breach. */
export type FoundBytes = Shrunk<ClassifiedCase, BreachFound>;

/** Milliseconds after which a target that waits for the rest of a request is left alone, at least. */
const patience = 100;

/** Sends malformed and odd bytes, each over its own connection, until some cause a breach, and shrinks those. */
export class WireSearch {
  readonly #options: WireSearchOptions;
  #hindrance: Hindrance | undefined;

  constructor(options: WireSearchOptions) {
    this.#options = options;
  }

  async search(): Promise<{ readonly found?: FoundBytes; readonly hindrance?: Hindrance }> {
    const { small: found } = await firstFind(this.#options, this.#trial());
    return defined({ found, hindrance: this.#hindrance });
  }

  #trial(): Trial<ClassifiedCase, BreachFound, WireEvent> {
    const { paths } = this.#options.fixture;
    return {
      ...{ arbitrary: wireCases(paths), examples: splitCases(paths), isKnown: true },
      tried: (wire) => this.#tried(wire, true),
      again: (wire) => this.#tried(wire),
      found: ({ one, result }) => ({ type: 'failure found', says: result.breach.says, what: one.what }),
      smaller: ({ bytes }, attempts) => ({ type: 'shrunk', bytes: bytes.length, attempts }),
    };
  }

  /** The breach when the same is sent again. */
  async again(wire: ClassifiedCase): Promise<Breach | undefined> {
    if ((await this.#options.fixture.prepare()) !== undefined) return undefined;
    return (await this.#judge(wire))?.breach;
  }

  /** Rejects with TargetLost if the fixture cannot be prepared. */
  async #tried(wire: ClassifiedCase, counts = false): Promise<BreachFound | undefined> {
    this.#hindrance ??= await this.#options.fixture.prepare();
    if (this.#hindrance !== undefined) throw new TargetLost('nothing more can be sent');
    return this.#judge(wire, counts);
  }

  /** Undefined if everything is in order, or the bytes may not be sent. */
  async #judge(wire: ClassifiedCase, counts = false): Promise<BreachFound | undefined> {
    const { session, fixture, statistics, demands, reportProgress } = this.#options;
    const { gateway, dialect } = session.installation;
    const bytes = { bytes: Buffer.from(wire.bytes, 'latin1') };
    if (await this.#isWithheld(bytes)) return undefined;
    if (wire.split !== undefined) return this.#judgeSplit(wire, wire.split);
    const exchange = await gateway.send(bytes, this.#way(wire));
    if (counts) {
      statistics.sent(wire, citedIn(dialect, wire.requirement ?? 'gap'), exchange);
      reportProgress();
    }
    const breach = breachOf(wire, exchange, await fixture.change(), (one) => demands(citedIn(dialect, one)));
    if (breach === undefined) return wire.nature === 'unfinished' ? undefined : this.#judgeSentinels(wire);
    const cited = { ...breach, requirement: citedIn(dialect, breach.requirement) };
    return { breach: cited, exchange, changed: fixture.changed };
  }

  /** The next request on the same connection gets its own answer, whenever it is sent; or the connection is closed. */
  async #judgeSentinels(wire: ClassifiedCase): Promise<BreachFound | undefined> {
    const { session, fixture, timeout } = this.#options;
    const { gateway } = session.installation;
    const sent = { bytes: Buffer.from(wire.bytes, 'latin1'), methods: ['GET'], within: timeout };
    for (const when of ['at once', 'after the answer'] as const) {
      const turns = withSentinel(sent, fixture.paths, when);
      const bytes = { bytes: Buffer.concat(turns.map((turn) => turn.bytes)) };
      if ((await gateway.objection(bytes, session.way)) !== undefined) continue;
      const conversation = await converse(session, turns);
      const says = outOfStep(conversation);
      if (says === undefined) continue;
      const exchange = await gateway.send(bytes, this.#way(wire));
      const breach = { kind: 'out of step', says: `${says} (sent ${when})`, requirement: 'gap' } as const;
      return { breach, exchange, conversation };
    }
    // A creation that was answered by 201 has changed the tree once more.
    await fixture.change();
    return undefined;
  }

  /** Counts what may not be sent. */
  async #isWithheld(bytes: ExactBytes): Promise<boolean> {
    const { session, statistics } = this.#options;
    const objection = await session.installation.gateway.objection(bytes, session.way);
    if (objection !== undefined) statistics.withheld += 1;
    return objection !== undefined;
  }

  async #judgeSplit(wire: ClassifiedCase, split: CaseParts): Promise<BreachFound | undefined> {
    const { session, fixture, timeout, statistics, enough } = this.#options;
    const turn = turnOf(split, timeout);
    if (await this.#isWithheld({ bytes: turn.bytes, cuts: [1] })) return undefined;
    const { apart } = await splitEverywhere(session, turn, enough);
    await fixture.change();
    statistics.split += 1;
    if (apart === undefined) return undefined;
    const { says, conversation } = apart;
    const exchange = await session.installation.gateway.send({ bytes: turn.bytes }, this.#way(wire));
    return { breach: { kind: 'split apart', says, requirement: 'gap' }, exchange, conversation };
  }

  #way({ nature }: ClassifiedCase): Way {
    const { session, fixture, timeout } = this.#options;
    if (nature !== 'unfinished') return { ...session.way, timeout };
    return { ...session.way, timeout: Math.min(timeout, Math.max(patience, 4 * fixture.slowest)) };
  }
}

/** The kind of a breach. */
type BreachKind = 'success' | 'failure' | 'silence' | 'no HTTP' | 'gone' | 'changed' | 'out of step' | 'split apart';

/** What is wrong with an answer, or with what came after it. */
export interface Breach {
  readonly kind: BreachKind;
  readonly says: string;
  /** The requirement that the target breaks; `gap` if there is none. */
  readonly requirement: string;
}

type Change = 'no answer' | 'changed' | 'unchanged';

/** Whether malformed bytes have to be refused: a checked requirement says so. */
export type IsDemanded = (requirement: string) => boolean;

/**
 * In order: a refusal, or a plain success if the bytes may be taken for well-formed or nobody demands otherwise, within the
 * limit; the next request, on a new connection, is served; and nothing has changed but by what was answered with a success.
 */
export function breachOf(
  wire: WireCase,
  exchange: Exchange,
  change: Change,
  demands: IsDemanded = () => true,
): Breach | undefined {
  const inAnswer = ofAnswer(wire, exchange, demands);
  if (inAnswer !== undefined) return { ...inAnswer, requirement: wire.requirement ?? 'gap' };
  if (change === 'no answer') {
    const says = 'The next request, on a new connection, is not served.';
    return { kind: 'gone', says, requirement: 'http.goes-on' };
  }
  if (change === 'unchanged' || mayChange(wire, exchange)) return undefined;
  const answered = exchange.answer === undefined ? 'without an answer' : `answered by ${exchange.answer.status}`;
  const says = `The request, ${answered}, has changed the tree.`;
  return { kind: 'changed', says, requirement: 'body.refused-stores-nothing' };
}

/** A malformed request that is accepted may do what a well-formed one does. */
function mayChange({ nature, creates }: WireCase, exchange: Exchange): boolean {
  if (nature !== 'odd') return isSuccess(exchange);
  return creates && exchange.answer?.status === 201;
}

function ofAnswer(
  { nature, requirement = 'gap' }: WireCase,
  { answer, failure }: Exchange,
  demands: IsDemanded,
): Pick<Breach, 'kind' | 'says'> | undefined {
  if (answer === undefined) {
    if (failure?.kind === 'timeout' && nature !== 'unfinished')
      return { kind: 'silence', says: `The target neither answers nor closes the connection: ${failure.message}.` };
    if (failure?.kind !== 'malformed') return undefined;
    return { kind: 'no HTTP', says: `The response is not HTTP: ${failure.message}.` };
  }
  const { status } = answer;
  if (status === 500)
    return { kind: 'failure', says: 'The request is answered by 500: the target has failed, not refused.' };
  if (status >= 200 && status < 300 && nature !== 'odd' && demands(requirement)) {
    const what = nature === 'unfinished' ? 'not complete' : 'malformed';
    return { kind: 'success', says: `The request is answered by ${status}, though it is ${what}.` };
  }
  return undefined;
}

/** Requirements of the standard where the interface specification leaves the outcome open. */
const inTheStandard = new Map([
  ['errors.unknown-method', 'std.http.unknown-method'],
  ['body.broken-json', 'std.content.broken'],
  ['body.trailing-text', 'std.content.broken'],
  ['body.not-utf-8', 'std.content.broken'],
]);

/** The requirement that a dialect is checked by; `gap` if there is none. */
export function citedIn(dialect: Dialect, requirement: string): string {
  return dialect === 'documented' ? requirement : (inTheStandard.get(requirement) ?? 'gap');
}
