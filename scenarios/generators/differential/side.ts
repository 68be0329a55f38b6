import { neverArrived, summaryOf, viewOf } from '../../engine/judging/answer.ts';
import type { LostRequest } from '../../engine/results/circumstances.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { labelOf } from '../../engine/running/scenario/scenario-names.ts';
import type { OpenInboxes } from '../../engine/targets/inboxes.ts';
import type { Installation } from '../../engine/targets/installation.ts';
import { rulesWithGaps } from '../../oracle/rules.ts';
import type { Attempt, Came } from '../moves/move.ts';
import type { MoveContext, Play } from '../moves/move-context.ts';
import type { Arena } from '../search/arena.ts';
import type { Settings } from '../search/campaign.ts';
import { TargetLost } from '../search/seeded.ts';
import type { Statistics } from '../search/statistics.ts';
import { deathOf, lostRequest } from '../sequences/death.ts';
import { type AnyOperation, groundAt, playAt } from '../sequences/language.ts';
import { RuleJudges } from '../sequences/rule-judges.ts';
import { StepSender } from '../sequences/sender.ts';
import { addressed, inboxesOf, outcomeOf, type Performed } from '../sequences/sequence-run.ts';
import { AnswerNormalizer } from './canonical-answer.ts';
import type { Both, DiffEvent, SideName } from './difference.ts';
import { KnownNames } from './known-names.ts';
import type { RulesUsed } from './left-open.ts';
import type { ComparedAnswer, Deciding } from './parted.ts';
import type { SharedCse } from './trees.ts';

/** One of the two targets, for the whole run. */
export interface Competitor {
  readonly side: SideName;
  readonly arena: Arena;
  /** Of the names of what it creates there. */
  readonly run: string;
  /** Brings it back where it stays dead. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** Takes what was under way when it died. */
  readonly underWay: LostRequest[];
}

/** Two targets that are compared, and how. */
export interface Contest extends Deciding, Settings<DiffEvent>, Both<Competitor> {
  readonly statistics: Statistics;
  readonly used: RulesUsed;
  /** Whether the targets are reached by different wires: what only a wire says is not compared. */
  readonly crosses: boolean;
  /** A, where B is the same CSE. */
  readonly other: SharedCse;
}

/** One sequence of them. */
export interface SequenceFacts {
  readonly number: number;
  /** Among those of the seed. */
  readonly path: string;
}

/** One target in the course of one sequence, with what was created there. */
export class Side {
  readonly label: string;
  readonly play: Play<AnyOperation>;
  readonly performed: Performed[] = [];
  readonly names: KnownNames;
  sender: StepSender;
  readonly #own: StepSender;
  readonly #competitor: Competitor;
  readonly #clock: Installation['clock'];
  readonly #rules: RuleJudges;
  readonly #reader: AnswerNormalizer;
  readonly #path: string;
  readonly #installation: Installation;
  #inboxes: OpenInboxes | undefined;

  /** `anyOriginator`: at both targets. */
  constructor(
    competitor: Competitor,
    installation: Installation,
    { number, path, anyOriginator }: SequenceFacts & Pick<MoveContext, 'anyOriginator'>,
    { used, crosses }: Pick<Contest, 'used' | 'crosses'>,
  ) {
    const { arena, run } = competitor;
    this.label = labelOf(run, number);
    this.#competitor = competitor;
    this.#path = path;
    this.#installation = installation;
    this.#clock = installation.clock;
    this.#rules = new RuleJudges(installation, rulesWithGaps(installation.dialect));
    this.#own = new StepSender({ installation, label: this.label, arena });
    this.sender = this.#own;
    if (installation.lifetime !== undefined) used.note('lifetime');
    const context = { ...groundAt('gateway', installation, this.label), anyOriginator };
    this.play = playAt(installation.dialect, context);
    this.names = new KnownNames(context.created, used);
    this.#reader = new AnswerNormalizer(this.names, used, crosses);
  }

  /** Where subscriptions of the sequence are told of. */
  async listen(): Promise<void> {
    const { dialect, inboxes } = this.#installation;
    if (dialect === 'onem2m') this.#inboxes = await inboxes?.open(this.label, inboxesOf(this.#installation));
  }

  /** From now on it is only read, by way of another target that is the same CSE. */
  readBy({ arena }: SharedCse, installation: Installation): void {
    this.sender = new StepSender({ installation, label: this.label, arena: { ...arena, cleans: false } });
  }

  async leave(signal: AbortSignal): Promise<void> {
    await this.#own.clean(signal);
    this.#inboxes?.close();
  }

  /** Rejects with TargetLost when the target cannot be reached. */
  async send(attempt: Attempt): Promise<ComparedAnswer> {
    const sent = { ...attempt, step: addressed(attempt, this.#inboxes) };
    const exchange = await this.sender.send(sent);
    this.#throwIfLost(exchange);
    this.#rules.judge(sent, exchange);
    const came: Came = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    this.performed.push({ attempt, exchange, outcome: came.outcome });
    const reading = { attempt, exchange, came, request: this.performed.length };
    return { ...reading, demanded: this.#rules.demanded, canonical: this.#reader.read(reading) };
  }

  async letPass(time: string, signal: AbortSignal): Promise<void> {
    await this.#clock?.advance(time, signal);
    this.#rules.passTime(time);
    this.performed.push({ advance: time });
  }

  #throwIfLost(exchange: Exchange): void {
    const { isDown } = this.sender;
    if (!isDown && !neverArrived(exchange)) return;
    const { side, underWay } = this.#competitor;
    const isUnderWay = isDown && deathOf(exchange) !== undefined;
    if (isUnderWay) underWay.push(lostRequest(exchange, this.#path, this.performed.length + 1));
    throw new TargetLost(`${side}: ${summaryOf(exchange)}`);
  }
}
