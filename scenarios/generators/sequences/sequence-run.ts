import { defined } from '../../engine/basics/defined.ts';
import { nowhere } from '../../engine/files/scenario-entries.ts';
import type { NotifiedStep } from '../../engine/grammar/grammar-step.ts';
import {
  type AnswerObservation,
  emptyView,
  isSuccess,
  type NotificationView,
  neverArrived,
  observationOf,
  summaryOf,
  viewOf,
} from '../../engine/judging/answer.ts';
import { outcomeOf as outcomeOfCheck } from '../../engine/judging/expectation.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { CheckResult } from '../../engine/results/result.ts';
import { awaitNotifications } from '../../engine/running/scenario/notifications.ts';
import { missesReceiver } from '../../engine/running/scenario/sending.ts';
import { neverReached } from '../../engine/running/scenario/waits.ts';
import { type HarnessInbox, Silence } from '../../engine/targets/inbox.ts';
import type { OpenInboxes } from '../../engine/targets/inboxes.ts';
import type { Installation } from '../../engine/targets/installation.ts';
import type { LoadedRule } from '../../oracle/rules.ts';
import { type Attempt, type AttemptResponse, type AttemptStep, inboxNames, inboxOf, type Move } from '../moves/move.ts';
import type { MoveSource } from '../moves/move-context.ts';
import { members, registeredAt } from '../pair/through.ts';
import { TargetLost } from '../search/seeded.ts';
import type { Statistics } from '../search/statistics.ts';
import { deathOf } from './death.ts';
import type { AnyOperation } from './language.ts';
import { type Demand, RuleJudges } from './rule-judges.ts';
import { type SenderOptions, StepSender } from './sender.ts';

/** A request, a read of an inbox, or time that passed. */
export type Performed =
  | { readonly attempt: Attempt; readonly exchange: Exchange; readonly outcome: AttemptResponse['outcome'] }
  | { readonly step: NotifiedStep }
  | { readonly advance: string };

/** The first answer that a requirement does not permit. */
export interface SequenceFailure {
  readonly expected: Demand;
  readonly exchange: Exchange;
  /** In words, if a rule found it. */
  readonly byRule?: CheckResult;
}

export interface SequenceOutcome {
  /** Prefix of its names at the CSE base. */
  readonly label: string;
  readonly performed: readonly Performed[];
  readonly failure?: SequenceFailure;
}

/** The outcome of a failing sequence. */
export type FailedOutcome = SequenceOutcome & Required<Pick<SequenceOutcome, 'failure'>>;

export function failedIn(outcome: SequenceOutcome): FailedOutcome | undefined {
  return outcome.failure === undefined ? undefined : { ...outcome, failure: outcome.failure };
}

export interface SequenceOptions extends SenderOptions {
  /** Whether a requirement is checked. */
  readonly isChecked: (requirement: string) => boolean;
  /** Whether it is known to be broken: then nothing else is reported of the answer. */
  readonly isExcepted: (requirement: string) => boolean;
  /** Those checked or known. */
  readonly rules: readonly LoadedRule[];
  readonly statistics?: Statistics | undefined;
  readonly signal: AbortSignal;
}

/** Operations between looks at everything, of which one comes at the end. */
export const lookInterval = 12;

/** Runs one sequence, in either dialect. Rejects with TargetLost when the target cannot be reached. */
export class SequenceRun {
  readonly #options: SequenceOptions;
  readonly #moves: MoveSource<AnyOperation>;
  readonly #anyOriginator: boolean;
  readonly #sender: StepSender;
  readonly #rules: RuleJudges;
  readonly #performed: Performed[] = [];
  #inboxes: OpenInboxes | undefined;
  #failure: SequenceFailure | undefined;
  #last: Exchange | undefined;

  constructor(options: SequenceOptions, moves: MoveSource<AnyOperation>) {
    this.#options = options;
    this.#moves = moves;
    this.#sender = new StepSender(options);
    this.#rules = new RuleJudges(options.installation, options.rules, options);
    const { has, dialect } = options.installation;
    this.#anyOriginator = dialect === 'onem2m' || has.has('any originator');
  }

  async run(operations: readonly AnyOperation[]): Promise<SequenceOutcome> {
    const { installation, label, signal } = this.#options;
    if (installation.dialect === 'onem2m')
      this.#inboxes = await installation.inboxes?.open(label, inboxesOf(installation));
    try {
      for (const [at, operation] of operations.entries()) {
        if (!(await this.#operate(operation))) break;
        if ((at + 1) % lookInterval === 0 && !(await this.#perform(this.#moves.look()))) break;
      }
      if (this.#goesOn()) await this.#perform(this.#moves.look());
      if (this.#goesOn()) await this.#checkInboxes(true);
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
    const made = await this.#perform(this.#moves.move(operation));
    // If nobody can tell when all has been sent, notifications are awaited once, at the end.
    return made && settled !== undefined ? this.#checkInboxes(false) : made;
  }

  async #perform(move: Move): Promise<boolean> {
    for (let next = move.next(); !next.done && this.#goesOn(); ) {
      const response = await this.#attempt(next.value);
      if (response === undefined) break;
      next = move.next(response);
    }
    return this.#goesOn();
  }

  /** Undefined if it may not be sent, or the answer is a deviation. */
  async #attempt(requested: Attempt): Promise<AttemptResponse | undefined> {
    const { statistics, installation, isExcepted } = this.#options;
    const attempt = this.#anyOriginator ? requested : { ...requested, by: 'nobody' };
    const sent = { ...attempt, step: withInboxUrls(attempt, this.#inboxes) };
    if (await this.#sender.refuses(sent)) return undefined;
    const exchange = await this.#sender.send(sent);
    const death = deathIn(exchange, this.#sender.isDown);
    statistics?.sent(attempt.about);
    this.#last = exchange;
    const response = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.#performed.push({ attempt, exchange, outcome: response.outcome });
    // A target that cannot reach the harness is not to blame.
    const isExcused = this.#inboxes !== undefined && installation.reachesInboxes !== true && missesReceiver(exchange);
    const byRule = this.#rules.judge(sent, exchange);
    // After a known deviation, the sequence goes on.
    this.#failure = death ?? (isExcused || this.#rules.breaks(isExcepted) ? undefined : byRule);
    if (this.#failure === undefined) this.#judge(registeredAt(sent, installation), observationOf(exchange));
    return this.#failure === undefined ? response : undefined;
  }

  /** Each event has been notified once where it has to be; `all`: and nothing else, wherever anybody ever subscribed. */
  async #checkInboxes(all: boolean): Promise<boolean> {
    const { installation } = this.#options;
    const inboxes = members.flatMap((member) => inboxNames.map((one) => [member, inboxOf(one, member)] as const));
    for (const [member, name] of inboxes) {
      const inbox = this.#inboxes?.byName.get(name);
      if (inbox === undefined || !this.#goesOn() || !this.#rules.pendingInboxes(member, all).includes(inbox.url))
        continue;
      const demanded = this.#rules.demandedOf(member, inbox.url);
      // If nobody listens, or delivers in this process, there is nothing to wait for.
      const isDeaf = installation.inboxes?.listens === false && installation.settled === undefined;
      const step: NotifiedStep = { notified: name, until: 0, within: patience };
      const list = isDeaf ? [] : await notificationsAt(inbox, step, demanded, this.#options);
      this.#options.statistics?.sent({ operation: 'look into an inbox' });
      this.#performed.push({ step });
      if (list.length === 0 && neverReached(installation) !== undefined) continue;
      // The number says what is missing, not the content.
      const view = { ...emptyView, notifications: list, counted: true };
      this.#judge(demanded, { view, summary: '', success: true });
    }
    return this.#goesOn();
  }

  /** Demands without a rule. */
  #judge(demanded: readonly Demand[], seen: AnswerObservation): void {
    const { isChecked, isExcepted, statistics, signal } = this.#options;
    const failed = demanded.filter(({ check }) => outcomeOfCheck(check, seen, new Map()) === 'failed');
    if (signal.aborted || failed.some(({ requirement }) => isExcepted(requirement))) return;
    for (const { requirement } of demanded) if (isChecked(requirement)) statistics?.checked(requirement);
    const [expected] = failed.filter(({ requirement }) => isChecked(requirement));
    if (expected !== undefined && this.#last !== undefined) this.#failure = { expected, exchange: this.#last };
  }
}

/** With the URLs of the inboxes in place of their names. */
export function withInboxUrls({ step, on, host = on }: Attempt, inboxes: OpenInboxes | undefined): AttemptStep {
  if (!('create' in step) || step.create !== 'subscription' || inboxes === undefined) return step;
  const uris = Array.isArray(step.attributes?.nu) ? step.attributes.nu.map(String) : [];
  const named = (uri: string) => inboxNames.find((name) => uri.endsWith(`/${name}`));
  const urls = uris.map((uri) => inboxes.byName.get(inboxOf(named(uri) ?? 'watcher', host))?.url ?? uri);
  return { ...step, attributes: { ...step.attributes, nu: urls } };
}

/** The request under way when the target died; undefined if it lives. Throws TargetLost for one that did not arrive. */
function deathIn(exchange: Exchange, isDead: boolean): SequenceFailure | undefined {
  const death = isDead ? deathOf(exchange) : undefined;
  if (death === undefined && (isDead || neverArrived(exchange))) throw new TargetLost(summaryOf(exchange));
  return death;
}

export function inboxesOf({ backend }: Installation): Record<string, object> {
  const own = members.filter((member) => member === 'gateway' || backend !== undefined);
  return Object.fromEntries(own.flatMap((member) => inboxNames.map((name) => [inboxOf(name, member), {}])));
}

export function outcomeOf(exchange: Exchange): AttemptResponse['outcome'] {
  if (isSuccess(exchange)) return 'success';
  const status = exchange.answer?.status ?? 0;
  return status >= 400 && status < 500 ? 'refused' : 'lost';
}

/** For notifications that are still to come. */
const patience = '3s';

/** The notifications of events not yet read. What has not come once all is known to have been sent will not come. */
async function notificationsAt(
  inbox: HarnessInbox,
  step: NotifiedStep,
  demanded: readonly Demand[],
  { installation: { inboxes, settled }, signal }: SequenceOptions,
): Promise<readonly NotificationView[]> {
  const checks = demanded.map((one) => ({ ...one, place: nowhere }));
  const silence = inboxes?.silence ?? new Silence();
  const watching = { ...defined({ settled }), hasty: true, silence, signal };
  const { received } = await awaitNotifications(step, checks, inbox, watching);
  return received.map(({ view }) => view);
}
