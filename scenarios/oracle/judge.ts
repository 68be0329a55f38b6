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
  /** Of the CSE, with its URL. */
  readonly names: CseNames & { readonly url?: string };
  readonly demandsCertificate?: boolean;
  /** Whether the CSE is known to enforce access control policies; else rights are not checked. */
  readonly looksAtPolicies?: boolean;
  readonly levelOf: (requirement: string) => CheckLevel;
  /** Whether to report the first exchange that satisfies each requirement, too. */
  readonly reportsKept?: boolean;
  /** Called for each rule that was checked against an exchange. */
  readonly onRule?: (rule: CheckedRule) => void;
  /** Called for each exchange, before the observation takes note of it. */
  readonly onSeen?: (seen: SeenExchange, observation: Observation) => void;
}

/** A rule checked against an exchange; `names`: the values that it refers to. */
export interface CheckedRule {
  readonly requirement: string;
  readonly check: Check;
  readonly names: Names;
  readonly outcome: MatchOutcome;
  readonly seen: SeenExchange;
  readonly subject: Subject;
}

interface ExchangeNotes extends Partial<SendFacts> {
  /** Requirements that the exchange is already known to violate. */
  readonly broken?: readonly string[];
}

/** Checks each exchange of a sequence against every applicable rule, and keeps track of the resources. */
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

  /** The requirements that the exchange violates, each once in a sequence. */
  judge(exchange: Exchange, { broken = [], isOrdinary = true, isConcurrent, uris }: ExchangeNotes = {}): CheckResult[] {
    // A refused handshake says nothing about the request.
    if (neverArrived(exchange) || exchange.failure?.kind === 'tls') return [];
    const seen = this.#observation.see(exchange, { isOrdinary, isConcurrent, uris });
    if (seen === undefined) return [];
    for (const one of broken) this.#brokenSoFar.add(one);
    // A single lost answer is an accident, and the run counts those.
    const failed = isLost(exchange) ? [] : this.#failed(seen, new Set(broken));
    this.#options.onSeen?.(seen, this.#observation);
    this.#observation.take(seen);
    return failed;
  }

  /** An exchange forwarded by another CSE, and what it violates if `isJudged`: a reported success counts as done, anything else is doubtful. */
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

  get resources(): readonly KnownResource[] {
    return this.#observation.all;
  }

  /** Time passed, in milliseconds: resources may have expired. */
  passTime(milliseconds: number): void {
    this.#observation.passTime(milliseconds);
  }

  noteOnly(exchange: Exchange): void {
    const seen = this.#observation.see(exchange, { isOrdinary: false });
    if (seen === undefined) return;
    this.#options.onSeen?.(seen, this.#observation);
    this.#observation.take(seen);
  }

  /** Forgets all resources: others may have changed anything. */
  forget(): void {
    this.#observation.forget();
  }

  /** Something else may have changed any resource. */
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
      const check = 'predicate' in demands ? demands.predicate(seen, subject, this.#observation) : demands.check;
      if (check === undefined) continue;
      const outcome = outcomeIn(check, observed, names);
      this.#options.onRule?.({ requirement, check, names, outcome, seen, subject });
      if (this.#isNew(requirement, outcome)) {
        const beside = isBeside(check, seen.exchange) && ({ beside: true } as const);
        found.push({ ...this.#resultOf({ requirement, check, place }, observed, names), ...beside });
      }
      if (outcome !== 'failed') continue;
      this.#reported.add(requirement);
      broken.add(requirement);
      this.#brokenSoFar.add(requirement);
      forget(subject.resource, check.attributes);
    }
    return found;
  }

  /** Whether this violation, or, with `reportsKept`, this success, was not reported yet. */
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

  /** Rules that may apply, found once for each key. */
  #rulesAbout(selected: Selected): readonly LoadedRule[] {
    const { rules } = this.#options;
    const known = getOrAdd(byKey, rules, () => new Map<string, readonly LoadedRule[]>());
    return getOrAdd(known, selected.key, () => rules.filter(({ when }) => selected.mayFit(when)));
  }
}

/** Whether it checks messages that came beside the answer. */
const isBeside = (check: Check, { wire = {} }: { readonly wire?: Readonly<Record<string, unknown>> }): boolean =>
  permittedBy(check).some((one) => Object.keys(one.wire ?? {}).some((name) => Array.isArray(wire[name])));

/** A value of the target may look like a name in a rule; it has no value then. */
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

/** The originator that another CSE uses is not known. */
const anotherCse: Requester = { originator: undefined, certificate: 'of another CSE' };
const byKey = new WeakMap<readonly LoadedRule[], Map<string, readonly LoadedRule[]>>();
const nobody: Subject = { requested: new Map() };

/** A wrong value is no evidence for anything else. */
function forget(resource: KnownResource | undefined, attributes: Readonly<Record<string, unknown>> = {}): void {
  for (const name of Object.keys(attributes)) {
    resource?.wrong.add(name);
    resource?.full.delete(name);
    resource?.returned.delete(name);
    resource?.confirmed.delete(name);
  }
}
