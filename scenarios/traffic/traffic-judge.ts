import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { CheckLevel, CheckResult } from '../engine/result.ts';
import { mayChange } from '../oracle/effects.ts';
import { Judge } from '../oracle/judge.ts';
import type { LoadedRule } from '../oracle/rules.ts';
import type { CseNames } from '../safety/address.ts';
import type { Recorded } from './recorded.ts';
import { UnderWay } from './under-way.ts';

export interface TrafficJudgeOptions {
  readonly rules: readonly LoadedRule[];
  readonly dialect: Dialect;
  /** Of the CSE, with where it is. */
  readonly names: CseNames & { readonly url?: string };
  readonly levelOf: (requirement: string) => CheckLevel;
  /** Whether nobody else changed anything at the CSE meanwhile; a recording that numbers all that came says that itself. */
  readonly isAlone: boolean;
  /** Each exchange in the order in which it began, with what it breaks, and what it is the first to keep. */
  readonly onJudged: (recorded: Recorded, checks: readonly CheckResult[]) => void;
}

/** How many exchanges came to what. */
export interface JudgedCounts {
  readonly judged: number;
  /** A write that may have to do with it was under way at the same time. */
  readonly contested: number;
  /** No answer came, or it is not there as it was sent. */
  readonly unreadable: number;
  /** What others may have done meanwhile is not in the recording: they were judged by themselves. */
  readonly apart: number;
}

type Meanwhile = Readonly<Record<'isContested' | 'isTwin', boolean>>;

/** Judges exchanges that others had with a CSE, and that may have been under way at the same time. */
export class TrafficJudge {
  readonly #options: TrafficJudgeOptions;
  readonly #judge: Judge;
  readonly #underWay: UnderWay;
  readonly #counts = { judged: 0, contested: 0, unreadable: 0, apart: 0 };
  #last: number | undefined;

  constructor(options: TrafficJudgeOptions) {
    this.#options = options;
    this.#judge = new Judge({ ...options, tellsKept: true });
    this.#underWay = new UnderWay(options.names, options.dialect);
  }

  get counts(): JudgedCounts {
    return this.#counts;
  }

  /** How many are not judged yet. */
  get waiting(): number {
    return this.#underWay.size;
  }

  /** False where it began before what was judged already. */
  take(recorded: Recorded): boolean {
    return this.#underWay.take(recorded);
  }

  /** Judges those that were over at a time before which no other begins any more; all when none is given. */
  settle(until: number = Number.POSITIVE_INFINITY): void {
    for (const { recorded, ...meanwhile } of this.#underWay.until(until))
      this.#options.onJudged(recorded, this.#judged(recorded, meanwhile));
  }

  /** Something was asked of which nobody knows what became of it. */
  loseTrack(): void {
    this.#judge.forget();
  }

  /** Judges the older half. */
  settleHalf(): void {
    this.settle(this.#underWay.middle);
  }

  #judged({ exchange, number, isWhole }: Recorded, { isContested, isTwin }: Meanwhile): readonly CheckResult[] {
    this.#noteOthers(number);
    if (isContested) {
      this.#counts.contested += 1;
      // Which of them came first cannot be told, and so not what it made true.
      if (mayChange(exchange)) this.#judge.overlook(withoutAnswer(exchange));
      return [];
    }
    if (exchange.answer === undefined || !isWhole) {
      this.#counts.unreadable += 1;
      this.#judge.overlook(exchange);
      return [];
    }
    this.#counts.judged += 1;
    return this.#judge.judge(exchange, { isTwin });
  }

  #noteOthers(number: number | undefined): void {
    const isNext = number !== undefined && (this.#last === undefined || number === this.#last + 1);
    this.#last = number;
    if (this.#options.isAlone || isNext) return;
    this.#counts.apart += 1;
    this.#judge.forget();
  }
}

function withoutAnswer({ answer: _answer, ...exchange }: Exchange): Exchange {
  return exchange;
}
