import type { CheckResult } from '../engine/results/result.ts';
import { Judge, type JudgeOptions } from '../oracle/judge.ts';
import { NotificationJudge } from '../oracle/notification-judge.ts';
import { mayChange } from '../oracle/observation/effects.ts';
import { type ParsedRequest, parseRequest } from '../oracle/observation/parsed-request.ts';
import type { RecordedExchange } from './recorded.ts';
import { type RecordedNotification, SentNotifications } from './sent-notifications.ts';

interface TrafficJudgeOptions extends Pick<JudgeOptions, 'rules' | 'dialect' | 'names' | 'levelOf'> {
  /** Whether nobody else changed anything at the CSE meanwhile; a recording that numbers all that came says that itself. */
  readonly isAlone: boolean;
  /** Each exchange in the order in which it began, with what it breaks, and what it is the first to keep. */
  readonly onChecked: (recorded: RecordedExchange, checks: readonly CheckResult[], isAnew?: boolean) => void;
}

/** How many exchanges came to what. */
const none = {
  checked: 0,
  /** A write that may have to do with it was under way at the same time. */
  contested: 0,
  /** No answer came, or it is not there as it was sent. */
  unreadable: 0,
  /** What others may have done meanwhile is not in the recording: they were judged by themselves. */
  isolated: 0,
  /** Notifications that the CSE has sent. */
  notified: 0,
};

/**
 * Judges exchanges that others had with a CSE, in the order in which they began. One during which a write was under way that may have to
 * do with it is not judged; creations of different names commute.
 */
export class TrafficJudge {
  readonly counts = { ...none };
  readonly #options: TrafficJudgeOptions;
  readonly #judge: Judge;
  readonly #sent: SentNotifications;
  #last: number | undefined;
  #waiting: Entry[] = [];
  /** Those that may not be over yet, of all that began before `#seen`. */
  #open: Entry[] = [];
  #seen = Number.NEGATIVE_INFINITY;
  #unnamed = 0;

  constructor(options: TrafficJudgeOptions) {
    this.#options = options;
    this.#sent = new SentNotifications(new NotificationJudge(options), (recorded, checks, isAnew) => {
      this.counts.notified += isAnew ? 1 : 0;
      options.onChecked(recorded, checks, isAnew);
    });
    this.#judge = new Judge({ ...options, reportsKept: true, onSeen: this.#sent.note });
  }

  /** What the CSE itself may have sent. */
  takeSent(sent: RecordedNotification): void {
    this.#sent.add(sent);
  }

  /** False where it began before what was judged already. */
  take(recorded: RecordedExchange): boolean {
    if (recorded.from < this.#seen) return false;
    this.#waiting.push(this.#entryOf(recorded));
    return true;
  }

  /** Judges those that were over at a time before which no other begins any more; all when none is given. */
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
      this.#sent.until(recorded.exchange.at, this.#judge.resources);
      this.#options.onChecked(recorded, this.#check(entry));
      this.#sent.passed(recorded, entry.isWrite);
    }
    if (until === Number.POSITIVE_INFINITY) this.#sent.until(until, this.#judge.resources);
  }

  /** Something was sent of which nobody knows what it was. */
  loseSent(): void {
    this.#sent.lose();
  }

  /** Something was asked of which nobody knows what became of it. */
  loseTrack(): void {
    this.#sent.lose();
    this.#judge.forget();
  }

  /** Judges the older half where so many are not judged yet. */
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
      // Which of them came first cannot be told, and so not what it made true.
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

/** What an exchange was about, and whether something else that matters for it was under way meanwhile. */
interface Entry {
  readonly recorded: RecordedExchange;
  readonly isWrite: boolean;
  /** What it may have looked at or changed: all that is called so, or stands above or below; undefined for anything. */
  readonly names: readonly string[] | undefined;
  isContested: boolean;
  /** Whether another was created in the same place meanwhile. */
  isConcurrent: boolean;
}

function isRelated(a: Entry, b: Entry): boolean {
  if (a.names === undefined || b.names === undefined) return true;
  const [short, long] = a.names.length <= b.names.length ? [a.names, b.names] : [b.names, a.names];
  return short.every((name, at) => long[at] === name);
}

/** Two that were created side by side. */
function areConcurrent({ isWrite, names = [] }: Entry, other: Entry): boolean {
  if (!isWrite || !other.isWrite || names.length !== other.names?.length) return false;
  return names.slice(0, -1).every((name, at) => other.names?.[at] === name);
}
