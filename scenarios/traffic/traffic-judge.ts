import type { CheckResult } from '../engine/results/result.ts';
import { Judge, type JudgeOptions } from '../oracle/judge.ts';
import { NotificationJudge } from '../oracle/notification-judge.ts';
import { mayChange } from '../oracle/observation/effects.ts';
import { type ParsedRequest, parseRequest } from '../oracle/observation/parsed-request.ts';
import type { RecordedExchange } from './recorded.ts';
import { SentNotifications } from './sent-notifications.ts';

interface TrafficJudgeOptions extends Pick<JudgeOptions, 'rules' | 'dialect' | 'names' | 'levelOf'> {
  /** Whether nobody else changed anything at the CSE; a recording with numbers shows that itself. */
  readonly isAlone: boolean;
  /** Called for each exchange in order of beginning, with violations, and requirements satisfied for the first time. */
  readonly onChecked: (recorded: RecordedExchange, checks: readonly CheckResult[], isAnew?: boolean) => void;
}

/** Numbers of exchanges. */
const none = {
  checked: 0,
  /** Concurrent with a related write. */
  contested: 0,
  /** Without a complete answer. */
  unreadable: 0,
  /** Checked in isolation, since the recording may lack requests of others. */
  isolated: 0,
  /** Notifications of the CSE. */
  notified: 0,
};

/**
 * Checks recorded exchanges with a CSE, in order of beginning. Those concurrent with a related write are not checked; creations with
 * different names are independent.
 */
export class TrafficJudge {
  readonly counts = { ...none };
  readonly #options: TrafficJudgeOptions;
  readonly #judge: Judge;
  /** Notifications that the CSE may have sent. */
  readonly sent: SentNotifications;
  #last: number | undefined;
  #waiting: Entry[] = [];
  /** Possibly pending exchanges among those that began before `#seen`. */
  #open: Entry[] = [];
  #seen = Number.NEGATIVE_INFINITY;
  #unnamed = 0;

  constructor(options: TrafficJudgeOptions) {
    this.#options = options;
    this.sent = new SentNotifications(new NotificationJudge(options), (recorded, checks, isAnew) => {
      this.counts.notified += isAnew ? 1 : 0;
      options.onChecked(recorded, checks, isAnew);
    });
    this.#judge = new Judge({ ...options, reportsKept: true, onSeen: this.sent.note });
  }

  /** False if it began before exchanges that are already checked. */
  take(recorded: RecordedExchange): boolean {
    if (recorded.from < this.#seen) return false;
    this.#waiting.push(this.#entryOf(recorded));
    return true;
  }

  /** Checks the exchanges that ended before a time, before which no other will begin; all by default. */
  settle(until: number = Number.POSITIVE_INFINITY): void {
    this.#sort();
    for (const entry of this.#waiting)
      if (entry.recorded.from >= this.#seen && entry.recorded.from < until) this.#compare(entry);
    this.#seen = Math.max(this.#seen, until);
    const isOver = ({ recorded: { from, to } }: Entry) =>
      from < until && (to <= until || until === Number.POSITIVE_INFINITY);
    const over = this.#waiting.filter(isOver);
    this.#waiting = this.#waiting.filter((entry) => !isOver(entry));
    for (const entry of over) {
      const { recorded } = entry;
      this.sent.until(recorded.exchange.at, this.#judge.resources);
      this.#options.onChecked(recorded, this.#check(entry));
      this.sent.passed(recorded, entry.isWrite);
    }
    if (until === Number.POSITIVE_INFINITY) this.sent.until(until, this.#judge.resources);
  }

  /** A request has an unknown effect. */
  loseTrack(): void {
    this.sent.lose();
    this.#judge.forget();
  }

  /** Checks the older half if this many are waiting. */
  settleHalf(most: number): void {
    if (this.#waiting.length < most) return;
    this.#sort();
    this.settle(this.#waiting[Math.floor(this.#waiting.length / 2)]?.recorded.from);
  }

  #check({ recorded, isContested, isConcurrent }: Entry): readonly CheckResult[] {
    const { exchange, number, isWhole } = recorded;
    this.#noteOthers(number);
    if (isContested) {
      this.counts.contested += 1;
      // Their order is unknown, and so is the effect.
      const { answer: _answer, ...unanswered } = exchange;
      if (mayChange(exchange)) this.#judge.noteOnly(unanswered);
      return [];
    }
    if (exchange.answer === undefined || !isWhole) {
      this.counts.unreadable += 1;
      this.#judge.noteOnly(exchange);
      return [];
    }
    this.counts.checked += 1;
    return this.#judge.judge(exchange, { isConcurrent });
  }

  #noteOthers(number: number | undefined): void {
    const isNext = number !== undefined && (this.#last === undefined || number === this.#last + 1);
    this.#last = number;
    if (this.#options.isAlone || isNext) return;
    this.counts.isolated += 1;
    this.loseTrack();
  }

  #sort(): void {
    this.#waiting.sort((a, b) => a.recorded.from - b.recorded.from);
  }

  #compare(entry: Entry): void {
    this.#open = this.#open.filter(({ recorded }) => recorded.to > entry.recorded.from);
    for (const other of this.#open) {
      if (areConcurrent(entry, other)) entry.isConcurrent = other.isConcurrent = true;
      if (!(entry.isWrite || other.isWrite) || !isRelated(entry, other)) continue;
      if (other.isWrite) entry.isContested = true;
      if (entry.isWrite) other.isContested = true;
    }
    this.#open.push(entry);
  }

  #entryOf(recorded: RecordedExchange): Entry {
    const { exchange } = recorded;
    const request = parseRequest(exchange, this.#options.names, this.#options.dialect);
    const isWrite = mayChange(exchange) && request !== 'elsewhere';
    const names = request === undefined || request === 'elsewhere' ? undefined : this.#namesOf(request);
    return { recorded, isWrite, names, isContested: false, isConcurrent: false };
  }

  #namesOf({ operation, form, names, attributes }: ParsedRequest): readonly string[] | undefined {
    if (operation === 'other' || form === 'identifier') return undefined;
    if (operation !== 'create') return names;
    // A name that the CSE chooses is no other's.
    return [...names, typeof attributes?.rn === 'string' ? attributes.rn : `\0${++this.#unnamed}`];
  }
}

/** The subject of an exchange, and whether related ones were concurrent. */
interface Entry {
  readonly recorded: RecordedExchange;
  readonly isWrite: boolean;
  /** Names of its resource, to which ancestors and descendants are related; undefined for any. */
  readonly names: readonly string[] | undefined;
  isContested: boolean;
  /** Whether a sibling was created at the same time. */
  isConcurrent: boolean;
}

function isRelated(a: Entry, b: Entry): boolean {
  if (a.names === undefined || b.names === undefined) return true;
  const [short, long] = a.names.length <= b.names.length ? [a.names, b.names] : [b.names, a.names];
  return short.every((name, at) => long[at] === name);
}

/** Whether both created siblings. */
function areConcurrent({ isWrite, names = [] }: Entry, other: Entry): boolean {
  if (!isWrite || !other.isWrite || names.length !== other.names?.length) return false;
  return names.slice(0, -1).every((name, at) => other.names?.[at] === name);
}
