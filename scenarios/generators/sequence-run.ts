import { defined } from '../engine/defined.ts';
import type { NotifiedStep } from '../engine/grammar/grammar-step.ts';
import { isSuccess, neverArrived, nothingSeen, summaryOf, viewOf } from '../engine/judging/answer.ts';
import type { Outcome } from '../engine/judging/matchers.ts';
import type { NotificationView } from '../engine/judging/notification.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { CheckResult } from '../engine/result.ts';
import type { Installation, Site } from '../engine/running/installation.ts';
import { awaitNotifications } from '../engine/running/notified.ts';
import { nowhere } from '../engine/running/scenario-entries.ts';
import { missesReceiver } from '../engine/running/sending.ts';
import { neverReached } from '../engine/running/waits.ts';
import { type Inbox, Silence } from '../engine/targets/inbox.ts';
import type { OpenInboxes } from '../engine/targets/inboxes.ts';
import type { LoadedRule } from '../oracle/rules.ts';
import { deathOf } from './death.ts';
import type { Play } from './family.ts';
import { judge, judgeNotified } from './judge.ts';
import type { AnyOperation } from './language.ts';
import { inboxNames, inboxOf } from './model/events.ts';
import type { Expected } from './model/expected.ts';
import type { Action, Attempt, AttemptStep, Came, Watch } from './moves/move.ts';
import { RuleJudges } from './rule-judges.ts';
import { TargetLost } from './seeded.ts';
import { Sender, type SenderOptions } from './sender.ts';
import type { Statistics } from './statistics.ts';

/** A request that was sent, a look into an inbox, or time that was let pass. */
export type Performed =
  | { readonly attempt: Attempt; readonly exchange: Exchange; readonly outcome: Came['outcome'] }
  | { readonly step: NotifiedStep }
  | { readonly advance: string };

/** The first answer that a requirement does not permit. */
export interface Failure {
  readonly expected: Expected;
  readonly exchange: Exchange;
  /** In words, where a rule has found it. */
  readonly byRule?: CheckResult;
}

export interface SequenceOutcome {
  /** By which the names begin that it gave at the CSE base. */
  readonly label: string;
  readonly performed: readonly Performed[];
  readonly failure?: Failure;
}

/** What came of a sequence that fails. */
export type FailedOutcome = SequenceOutcome & Required<Pick<SequenceOutcome, 'failure'>>;

export function failedIn(outcome: SequenceOutcome): FailedOutcome | undefined {
  return outcome.failure === undefined ? undefined : { ...outcome, failure: outcome.failure };
}

export interface SequenceOptions extends SenderOptions {
  /** Whether a requirement is judged at all. */
  readonly judges: (requirement: string) => boolean;
  /** Whether it is known to be broken: where it is, nothing else is said of the answer. */
  readonly known: (requirement: string) => boolean;
  /** Those of what is judged or known. */
  readonly rules: readonly LoadedRule[];
  readonly statistics?: Statistics | undefined;
  readonly signal: AbortSignal;
}

/** Operations after which everything is looked at; it is at the end as well. */
export const betweenLooks = 12;

/** Runs one sequence, in either dialect. Rejects with TargetLost when the target cannot be reached. */
export class SequenceRun {
  readonly #options: SequenceOptions;
  readonly #play: Play<AnyOperation>;
  readonly #anyOriginator: boolean;
  readonly #sender: Sender;
  readonly #rules: RuleJudges;
  readonly #performed: Performed[] = [];
  #inboxes: OpenInboxes | undefined;
  #failure: Failure | undefined;
  #last: Exchange | undefined;

  constructor(options: SequenceOptions, play: Play<AnyOperation>) {
    this.#options = options;
    this.#play = play;
    this.#sender = new Sender(options);
    this.#rules = new RuleJudges(options.installation, options.rules, options);
    const { has, dialect } = options.installation;
    this.#anyOriginator = dialect === 'onem2m' || has.has('any originator');
  }

  async run(operations: readonly AnyOperation[]): Promise<SequenceOutcome> {
    const { installation, label, signal } = this.#options;
    if (this.#play.watch !== undefined)
      this.#inboxes = await installation.inboxes?.open(label, inboxesOf(installation));
    try {
      for (const [at, operation] of operations.entries()) {
        if (!(await this.#operate(operation))) break;
        if ((at + 1) % betweenLooks === 0 && !(await this.#make(this.#play.look()))) break;
      }
      if (this.#goesOn()) await this.#make(this.#play.look());
      if (this.#goesOn()) await this.#make(this.#play.watch?.(true));
    } finally {
      await this.#sender.clean(signal, this.#failure === undefined);
      this.#inboxes?.close();
    }
    return { label, performed: this.#performed, ...(this.#failure && { failure: this.#failure }) };
  }

  #goesOn(): boolean {
    return this.#failure === undefined && !this.#options.signal.aborted;
  }

  /** Whether the sequence goes on. */
  async #operate(operation: AnyOperation): Promise<boolean> {
    const { clock, settled } = this.#options.installation;
    if (operation.does === 'advance time') {
      if (clock?.virtual !== true) return this.#goesOn();
      await clock.advance(operation.time, this.#options.signal);
      this.#performed.push({ advance: operation.time });
      this.#rules.passTime(operation.time);
    }
    const made = await this.#make(this.#play.move(operation));
    // Where nobody can tell when all has been sent, it is waited for once, at the end.
    return made && settled !== undefined ? this.#make(this.#play.watch?.(false)) : made;
  }

  async #make(move: Generator<Action, void, Came> | undefined): Promise<boolean> {
    let next = move?.next();
    while (next?.done === false && this.#goesOn()) {
      const came = 'watch' in next.value ? await this.#watch(next.value) : await this.#attempt(next.value);
      if (came === undefined) break;
      next = move?.next(came);
    }
    return this.#goesOn();
  }

  /** Undefined when the target may not be asked this, or what came is a deviation. */
  async #attempt(given: Attempt): Promise<Came | undefined> {
    const { statistics, installation } = this.#options;
    const attempt = this.#anyOriginator ? given : { ...given, by: 'nobody' };
    const sent = { ...attempt, step: this.#addressed(attempt) };
    if (await this.#sender.refuses(sent)) return undefined;
    const exchange = await this.#sender.send(sent);
    const death = deathIn(exchange, this.#sender.isDown);
    statistics?.sent(attempt.about);
    this.#last = exchange;
    const came = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.#performed.push({ attempt, exchange, outcome: came.outcome });
    if (death !== undefined) return this.#fails(death);
    const byRule = this.#rules.judge(sent, exchange);
    if (this.#rules.breaks(this.#options.known)) return came;
    // A target that cannot reach the harness is not to blame.
    if (this.#inboxes !== undefined && installation.reachesInboxes !== true && missesReceiver(exchange)) return came;
    for (const expected of attempt.expectations) {
      const judged = this.#judged(expected, () => judge(expected, came.view, came.outcome === 'success'));
      if (judged === 'failed') return this.#fails({ expected, exchange }, came);
    }
    return byRule === undefined ? came : this.#fails(byRule);
  }

  /** What is known goes on with what came. */
  #fails(failure: Failure, came?: Came): Came | undefined {
    if (came !== undefined && this.#options.known(failure.expected.requirement)) return came;
    this.#failure = failure;
    return undefined;
  }

  #judged({ requirement }: Expected, judge: () => Outcome): Outcome {
    const { judges, known, statistics } = this.#options;
    if (!judges(requirement)) return known(requirement) ? judge() : 'unobserved';
    const judged = judge();
    if (judged !== 'unobserved') statistics?.judged(requirement);
    return judged;
  }

  async #watch({ watch, at, expectations }: Watch): Promise<Came | undefined> {
    const { installation, signal, statistics } = this.#options;
    const name = inboxOf(watch, at);
    const inbox = this.#inboxes?.byName.get(name);
    if (inbox === undefined || this.#last === undefined) return nothing;
    // Where nobody listens, and nobody delivers in this process, there is nothing to wait for.
    const isDeaf = installation.inboxes?.listens === false && installation.settled === undefined;
    const list = isDeaf ? [] : await comeTo(inbox, expectations, installation, signal);
    statistics?.sent({ operation: 'look into an inbox' });
    this.#performed.push({ step: lookInto(name) });
    if (signal.aborted || (list.length === 0 && neverReached(installation) !== undefined)) return nothing;
    for (const expected of expectations) {
      if (this.#judged(expected, () => judgeNotified(expected, list)) === 'failed')
        return this.#fails({ expected, exchange: this.#last }, nothing);
    }
    return nothing;
  }

  /** With the URLs of the inboxes in the places that stand for them. */
  #addressed({ step, on, host = on }: Attempt): AttemptStep {
    const inboxes = this.#inboxes;
    if (!('create' in step) || step.create !== 'subscription' || inboxes === undefined) return step;
    const places = Array.isArray(step.attributes?.nu) ? step.attributes.nu.map(String) : [];
    const named = (place: string) => inboxNames.find((name) => place.endsWith(`/${name}`));
    const urls = places.map((place) => inboxes.byName.get(inboxOf(named(place) ?? 'watcher', host))?.url ?? place);
    return { ...step, attributes: { ...step.attributes, nu: urls } };
  }
}

/** What was under way when the target died; undefined where it lives. Throws TargetLost for what did not reach it. */
function deathIn(exchange: Exchange, isDead: boolean): Failure | undefined {
  const death = isDead ? deathOf(exchange) : undefined;
  if (death === undefined && (isDead || neverArrived(exchange))) throw new TargetLost(summaryOf(exchange));
  return death;
}

function inboxesOf({ backend }: Installation): Record<string, object> {
  const sites: readonly Site[] = backend === undefined ? ['gateway'] : ['gateway', 'backend'];
  return Object.fromEntries(sites.flatMap((site) => inboxNames.map((name) => [inboxOf(name, site), {}])));
}

export function outcomeOf(exchange: Exchange): Came['outcome'] {
  if (isSuccess(exchange)) return 'success';
  const status = exchange.answer?.status ?? 0;
  return status >= 400 && status < 500 ? 'refused' : 'lost';
}

const nothing: Came = { outcome: 'success', view: nothingSeen };

/** For notifications that are still to come. */
const patience = '3s';

/** As a scenario says it. */
function lookInto(inbox: string): NotifiedStep {
  return { notified: inbox, until: 0, within: patience };
}

/** The notifications of events that nobody has looked at yet. What has not come when it is known that all has been sent will not come. */
async function comeTo(
  inbox: Inbox,
  expectations: readonly Expected[],
  { inboxes, settled }: Installation,
  signal: AbortSignal,
): Promise<readonly NotificationView[]> {
  const checks = expectations.map(({ requirement, check }) => ({ requirement, check, place: nowhere }));
  const silence = inboxes?.silence ?? new Silence();
  const watching = { ...defined({ settled }), hasty: true, silence, signal };
  const { came } = await awaitNotifications(lookInto(''), checks, inbox, watching);
  return came.map(({ view }) => view);
}
