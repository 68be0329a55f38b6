import { neverArrived, summaryOf, viewOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { LostRequest } from '../../engine/results/result.ts';
import { labelOf } from '../../engine/running/scenario/scenario-names.ts';
import type { Installation } from '../../engine/targets/installation.ts';
import { rulesWithGaps } from '../../oracle/rules.ts';
import { moveOf } from '../documented/moves.ts';
import { look } from '../moves/look.ts';
import type { Attempt, Came } from '../moves/move.ts';
import type { MoveContext, Play } from '../moves/move-context.ts';
import type { DocumentedOperation } from '../operations/documented.ts';
import type { Arena } from '../search/arena.ts';
import { TargetLost } from '../search/seeded.ts';
import { deathOf, lostRequest } from '../sequences/death.ts';
import { groundAt } from '../sequences/language.ts';
import { RuleJudges } from '../sequences/rule-judges.ts';
import { StepSender } from '../sequences/sender.ts';
import { outcomeOf, type Performed } from '../sequences/sequence-run.ts';
import { AnswerNormalizer } from './canonical-answer.ts';
import type { SideName } from './difference.ts';
import { KnownNames } from './known-names.ts';
import type { RulesUsed } from './left-open.ts';
import type { ComparedAnswer } from './parted.ts';

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

/** What of a sequence is the same at both targets. */
export interface SequenceFacts {
  readonly number: number;
  /** Among those of the seed. */
  readonly path: string;
  readonly used: RulesUsed;
}

interface SideOptions extends SequenceFacts {
  /** What both targets offer. */
  readonly offers: Pick<MoveContext, 'anyOriginator'>;
}

/** One target in the course of one sequence, with what was created there. */
export class Side {
  readonly label: string;
  readonly play: Play<DocumentedOperation>;
  readonly performed: Performed[] = [];
  readonly names: KnownNames;
  readonly sender: StepSender;
  readonly #competitor: Competitor;
  readonly #clock: Installation['clock'];
  readonly #rules: RuleJudges;
  readonly #reader: AnswerNormalizer;
  readonly #path: string;

  constructor(competitor: Competitor, installation: Installation, { number, path, offers, used }: SideOptions) {
    const { arena, run } = competitor;
    this.label = labelOf(run, number);
    this.#competitor = competitor;
    this.#path = path;
    this.#clock = installation.clock;
    this.#rules = new RuleJudges(installation, rulesWithGaps('documented'));
    this.sender = new StepSender({ installation, label: this.label, arena });
    if (installation.lifetime !== undefined) used.note('lifetime');
    const context = { ...groundAt('gateway', installation, this.label), ...offers };
    this.play = { move: (operation) => moveOf(operation, context), look: () => look(context) };
    this.names = new KnownNames(context.created, used);
    this.#reader = new AnswerNormalizer(this.names, used);
  }

  /** Rejects with TargetLost when the target cannot be reached. */
  async send(attempt: Attempt): Promise<ComparedAnswer> {
    const exchange = await this.sender.send(attempt);
    this.#throwIfLost(exchange);
    this.#rules.judge(attempt, exchange);
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
