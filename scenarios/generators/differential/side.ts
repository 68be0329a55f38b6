import { neverArrived, summaryOf, viewOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { LostRequest } from '../../engine/results/run-context.ts';
import { labelOf } from '../../engine/running/scenario/scenario-context.ts';
import type { OpenInboxes } from '../../engine/targets/inboxes.ts';
import type { Installation } from '../../engine/targets/installation.ts';
import { allRulesOf } from '../../oracle/rules.ts';
import type { Attempt, AttemptResponse } from '../moves/move.ts';
import type { MoveContext, MoveSource } from '../moves/move-context.ts';
import type { Settings } from '../search/campaign.ts';
import { TargetLost } from '../search/seeded.ts';
import type { ExplorationSession } from '../search/session.ts';
import type { Statistics } from '../search/statistics.ts';
import { deathOf, lostRequest } from '../sequences/death.ts';
import { type AnyOperation, contextAt, movesAt } from '../sequences/language.ts';
import { RuleJudges } from '../sequences/rule-judges.ts';
import { StepSender } from '../sequences/sender.ts';
import { inboxesOf, outcomeOf, type Performed, withInboxUrls } from '../sequences/sequence-run.ts';
import { type AnswerContext, AnswerNormalizer } from './canonical-answer.ts';
import type { Both, DiffEvent, SideName } from './difference.ts';
import type { RulesUsed } from './implementation-defined.ts';
import { KnownNames } from './known-names.ts';
import type { ComparedAnswer, DiffRules } from './part-difference.ts';
import type { SharedCse } from './trees.ts';

/** One of the two targets, for the whole run. */
export interface ComparedTarget {
  readonly side: SideName;
  readonly session: ExplorationSession;
  /** Of the names created there. */
  readonly run: string;
  /** Restarts it if it stays dead. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** Requests under way when it died. */
  readonly underWay: LostRequest[];
}

/** Two targets that are compared, and how. */
export interface DiffContext extends DiffRules, Settings<DiffEvent>, Both<ComparedTarget> {
  readonly statistics: Statistics;
  readonly used: RulesUsed;
  /** Whether the targets use different wires: wire-specific parts are not compared. */
  readonly crosses: boolean;
  /** A, if B is the same CSE. */
  readonly shared: SharedCse;
}

/** One sequence. */
export interface SequenceFacts {
  readonly number: number;
  /** Among those of the seed. */
  readonly path: string;
}

/** One target during one sequence, with what was created there. */
export class Side {
  readonly label: string;
  readonly moves: MoveSource<AnyOperation>;
  readonly performed: Performed[] = [];
  readonly names: KnownNames;
  sender: StepSender;
  readonly #own: StepSender;
  readonly #target: ComparedTarget;
  readonly #rules: RuleJudges;
  readonly #reader: AnswerNormalizer;
  readonly #path: string;
  readonly #installation: Installation;
  #inboxes: OpenInboxes | undefined;

  /** `anyOriginator`: at both targets. */
  constructor(
    compared: ComparedTarget,
    installation: Installation,
    { number, path, anyOriginator }: SequenceFacts & Pick<MoveContext, 'anyOriginator'>,
    answers: AnswerContext,
  ) {
    const { session, run } = compared;
    this.label = labelOf(run, number);
    this.#target = compared;
    this.#path = path;
    this.#installation = installation;
    this.#rules = new RuleJudges(installation, allRulesOf(installation.dialect));
    this.#own = new StepSender({ installation, label: this.label, session });
    this.sender = this.#own;
    if (installation.lifetime !== undefined) answers.used.note('lifetime');
    const context = { ...contextAt('gateway', installation, this.label), anyOriginator };
    this.moves = movesAt(installation.dialect, context);
    this.names = new KnownNames(context.created, answers.used);
    this.#reader = new AnswerNormalizer(this.names, answers);
  }

  /** Opens the inboxes for notifications. */
  async listen(): Promise<void> {
    const { dialect, inboxes } = this.#installation;
    if (dialect === 'onem2m') this.#inboxes = await inboxes?.open(this.label, inboxesOf(this.#installation));
  }

  /** From now on only reads, through another target that is the same CSE. */
  readThrough({ session }: SharedCse, installation: Installation): void {
    this.sender = new StepSender({ installation, label: this.label, session: { ...session, cleans: false } });
  }

  async leave(signal: AbortSignal): Promise<void> {
    await this.#own.clean(signal);
    this.#inboxes?.close();
  }

  /** Rejects with TargetLost when the target cannot be reached. */
  async send(attempt: Attempt): Promise<ComparedAnswer> {
    const sent = { ...attempt, step: withInboxUrls(attempt, this.#inboxes) };
    const exchange = await this.sender.send(sent);
    this.#throwIfLost(exchange);
    this.#rules.judge(sent, exchange);
    const response: AttemptResponse = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.performed.push({ attempt, exchange, outcome: response.outcome });
    const reading = { attempt, exchange, response, request: this.performed.length };
    return { ...reading, demanded: this.#rules.demanded, canonical: this.#reader.read(reading) };
  }

  async letPass(time: string, signal: AbortSignal): Promise<void> {
    await this.#installation.clock?.advance(time, signal);
    this.#rules.passTime(time);
    this.performed.push({ advance: time });
  }

  #throwIfLost(exchange: Exchange): void {
    const { isDown } = this.sender;
    if (!isDown && !neverArrived(exchange)) return;
    const { side, underWay } = this.#target;
    const isUnderWay = isDown && deathOf(exchange) !== undefined;
    if (isUnderWay) underWay.push(lostRequest(exchange, this.#path, this.performed.length + 1));
    throw new TargetLost(`${side}: ${summaryOf(exchange)}`);
  }
}
