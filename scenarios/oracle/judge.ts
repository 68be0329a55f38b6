import { getOrAdd } from '../engine/basics/memoize.ts';
import type { LoadedCheck } from '../engine/files/load.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Check } from '../engine/grammar/grammar-check.ts';
import { permittedBy } from '../engine/grammar/vocabulary.ts';
import { isLost, isSuccess, neverArrived, observationOf } from '../engine/judging/answer.ts';
import { judgeCheck } from '../engine/judging/check.ts';
import { outcomeOf } from '../engine/judging/expectation.ts';
import { type MatchOutcome, oneOf } from '../engine/judging/matchers.ts';
import type { CseNames } from '../engine/messages/address.ts';
import { MissingValue, type Names } from '../engine/messages/interpolate.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { CheckLevel, CheckResult } from '../engine/results/result.ts';
import { Selected } from './applies.ts';
import { factsOf, type Subject, subjectOf } from './observation/facts.ts';
import type { KnownResource, Requester } from './observation/known-resource.ts';
import { Observation } from './observation/observation.ts';
import type { SeenExchange, SendFacts } from './observation/seen-exchange.ts';
import type { LoadedRule } from './rules.ts';

export interface JudgeOptions {
  readonly rules: readonly LoadedRule[];
  readonly dialect: Dialect;
  /** Of the CSE, with where it is. */
  readonly names: CseNames & { readonly url?: string };
  /** Whether it demands a client certificate. */
  readonly demandsCertificate?: boolean;
  /** Whether it is known to look at access control policies; else nothing is said of rights by them. */
  readonly looksAtPolicies?: boolean;
  readonly levelOf: (requirement: string) => CheckLevel;
  /** Whether it is told as well, once for each requirement, which exchange keeps it. */
  readonly reportsKept?: boolean;
  /** Hears of each rule that was held against an exchange. */
  readonly onRule?: (rule: CheckedRule) => void;
  /** Hears of each exchange, before what came of it is taken note of. */
  readonly onSeen?: (seen: SeenExchange, observation: Observation) => void;
}

/** A rule as it was held against an exchange: what it demands, and what it refers to by names. */
export interface CheckedRule {
  readonly requirement: string;
  readonly check: Check;
  readonly names: Names;
  readonly outcome: MatchOutcome;
  readonly seen: SeenExchange;
  readonly subject: Subject;
}

interface ExchangeNotes extends Partial<SendFacts> {
  /** Requirements that the exchange is known to break already. */
  readonly broken?: readonly string[];
}

/** Judges each exchange of a sequence by every rule that applies to it, and remembers what it made true. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #observation: Observation;
  readonly #brokenSoFar = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #kept = new Set<string>();

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#observation = new Observation(options.names, options.dialect, options);
  }

  /** What the exchange breaks, each requirement once in a sequence. */
  judge(exchange: Exchange, { broken = [], isOrdinary = true, isConcurrent, uris }: ExchangeNotes = {}): CheckResult[] {
    // What a handshake refuses says nothing about what would have been asked.
    if (neverArrived(exchange) || exchange.failure?.kind === 'tls') return [];
    const seen = this.#observation.see(exchange, { isOrdinary, isConcurrent, uris });
    if (seen === undefined) return [];
    for (const one of broken) this.#brokenSoFar.add(one);
    // One lost answer is an accident, and the run counts those.
    const failed = isLost(exchange) ? [] : this.#failed(seen, new Set(broken));
    this.#options.onSeen?.(seen, this.#observation);
    this.#observation.take(seen);
    return failed;
  }

  /** What came of an exchange by way of another CSE, and what it breaks where that is judged: what that says was done is done, and of the rest nobody can tell. */
  judgeForwarded(exchange: Exchange, { isJudged = true } = {}): CheckResult[] {
    const sent = { isOrdinary: true, isThrough: true };
    const seen = neverArrived(exchange) ? undefined : this.#observation.see(exchange, sent);
    if (seen === undefined) return [];
    const failed = isLost(exchange) || !isJudged ? [] : this.#failed(seen, new Set());
    if (exchange.request.method === 'GET') return failed;
    this.#options.onSeen?.(seen, this.#observation);
    this.#observation.take({ ...seen, sender: { ...anotherCse, through: seen.sender.originator } });
    if (!isSuccess(exchange)) this.#observation.doubtAll();
    return failed;
  }

  /** What is known of what was created. */
  get resources(): readonly KnownResource[] {
    return this.#observation.all;
  }

  /** Time was let pass, in milliseconds: what the service does by itself meanwhile cannot be told. */
  passTime(milliseconds: number): void {
    this.#observation.passTime(milliseconds);
  }

  /** Takes note of an exchange of which too little is known to judge it. */
  noteOnly(exchange: Exchange): void {
    const seen = this.#observation.see(exchange, { isOrdinary: false });
    if (seen === undefined) return;
    this.#options.onSeen?.(seen, this.#observation);
    this.#observation.take(seen);
  }

  /** Others may have made anything of what is held. */
  forget(): void {
    this.#observation.forget();
  }

  /** Something else may have changed whatever is held. */
  doubtAll(): void {
    this.#observation.doubtAll();
  }

  #failed(seen: SeenExchange, broken: Set<string>): CheckResult[] {
    const subject = subjectOf(seen) ?? nobody;
    const selected = new Selected(seen, subject, this.#options.dialect);
    const names = factsOf(subject, seen, this.#observation);
    const observed = observationOf(seen.exchange);
    const found: CheckResult[] = [];
    for (const rule of this.#rulesAbout(selected)) {
      const { requirement, when, demands, place, needs } = rule;
      if (this.#isMoot(rule, broken) || !isKnown(needs, names) || !selected.by(when)) continue;
      const check = 'by' in demands ? demands.by(seen, subject, this.#observation) : demands.check;
      if (check === undefined) continue;
      const outcome = outcomeIn(check, observed, names);
      this.#options.onRule?.({ requirement, check, names, outcome, seen, subject });
      if (this.#isNew(requirement, outcome))
        found.push({
          ...this.#resultOf({ requirement, check, place }, observed, names),
          ...(isBeside(check, seen.exchange) && { beside: true }),
        });
      if (outcome !== 'failed') continue;
      this.#reported.add(requirement);
      broken.add(requirement);
      this.#brokenSoFar.add(requirement);
      forget(subject.resource, check.attributes);
    }
    return found;
  }

  /** Whether it was not told yet that it is broken, or, where that is asked for, that it is kept. */
  #isNew(requirement: string, outcome: MatchOutcome): boolean {
    if (outcome === 'failed') return !this.#reported.has(requirement);
    if (outcome !== 'passed' || this.#options.reportsKept !== true || this.#kept.has(requirement)) return false;
    this.#kept.add(requirement);
    return true;
  }

  #resultOf(loaded: LoadedCheck, seen: ReturnType<typeof observationOf>, names: Names): CheckResult {
    const level = this.#options.levelOf(loaded.requirement);
    return { ...judgeCheck(loaded, { observation: seen, names, expect: 'either', level }), byRule: true };
  }

  #isMoot({ requirement, after, unless }: LoadedRule, broken: ReadonlySet<string>): boolean {
    if (broken.has(requirement)) return true;
    return after.some((one) => broken.has(one)) || unless.some((one) => this.#brokenSoFar.has(one));
  }

  /** Those that may apply, found once for each kind of exchange. */
  #rulesAbout(selected: Selected): readonly LoadedRule[] {
    const { rules } = this.#options;
    const known = getOrAdd(byKey, rules, () => new Map<string, readonly LoadedRule[]>());
    return getOrAdd(known, selected.key, () => rules.filter(({ when }) => selected.mayFit(when)));
  }
}

/** Whether it looks at what came beside the answer. */
const isBeside = (check: Check, { wire = {} }: { readonly wire?: Readonly<Record<string, unknown>> }): boolean =>
  permittedBy(check).some((one) => Object.keys(one.wire ?? {}).some((name) => Array.isArray(wire[name])));

/** What a target has made up, and looks like a name, is no name. */
function outcomeIn(check: Check, observed: ReturnType<typeof observationOf>, names: Names): MatchOutcome {
  try {
    return oneOf(permittedBy(check).map((one) => outcomeOf(one, observed, names)));
  } catch (error) {
    if (error instanceof MissingValue) return 'unobserved';
    throw error;
  }
}

function isKnown(needs: readonly string[], names: Names): boolean {
  return needs.every((name) => names.has(name));
}

/** In whose name the other CSE asks is not known. */
const anotherCse: Requester = { originator: undefined, certificate: 'of another CSE' };
const byKey = new WeakMap<readonly LoadedRule[], Map<string, readonly LoadedRule[]>>();
const nobody: Subject = { requested: new Map() };

/** A value that was found wrong is no evidence for anything else. */
function forget(resource: KnownResource | undefined, attributes: Readonly<Record<string, unknown>> = {}): void {
  for (const name of Object.keys(attributes)) {
    resource?.wrong.add(name);
    resource?.full.delete(name);
    resource?.returned.delete(name);
    resource?.confirmed.delete(name);
  }
}
