import { levelIn } from '../engine/files/levels.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { match } from '../engine/judging/matchers.ts';
import { predicate } from '../engine/judging/sentences.ts';
import { show } from '../engine/messages/display.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { RuleEvidence } from '../engine/results/requirement-result.ts';
import type { CheckLevel, CheckResult, RunResult, ScenarioResult } from '../engine/results/result.ts';
import type { SimulatedCse } from '../engine/targets/embedded/cse-for-applications.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { learnSecretsOf } from '../secrets/secrets-of.ts';
import { KeptSteps } from '../traffic/kept-steps.ts';
import { exchangeOf, RecordedEntry } from '../traffic/recorded.ts';
import { NotificationAnswers } from './answer-facts.ts';
import type { Duty } from './duty.ts';
import type { FactName, Facts } from './facts.ts';
import { ApplicationRequests } from './request-facts.ts';

interface ApplicationJudgeOptions {
  readonly duties: readonly Duty[];
  readonly dialect: Dialect;
  readonly redactor: Redactor;
  readonly enough: number | undefined;
}

/** Checks each exchange between applications and the CSE. */
export class ApplicationJudge {
  readonly #options: ApplicationJudgeOptions;
  readonly #judge: DutyJudge;
  readonly #answers = new NotificationAnswers();
  readonly #full = new AbortController();
  #kept = new KeptSteps('');
  #requests: ApplicationRequests | undefined;
  #received = 0;

  constructor(options: ApplicationJudgeOptions) {
    const { dialect, duties } = options;
    this.#options = options;
    this.#judge = new DutyJudge(duties, (duty) => levelIn({ dialect, level: 'documented' }, duty));
  }

  begin({ url, base, cseId, spId }: SimulatedCse): void {
    this.#requests = new ApplicationRequests({ base, cseId, spId }, this.#options.dialect);
    this.#kept = new KeptSteps(url);
  }

  /** Missing answers do not count from now on. */
  end(): void {
    this.#requests = undefined;
  }

  record(message: object): void {
    if (this.#requests === undefined) return;
    const { to, ...entry } = RecordedEntry.parse(JSON.parse(JSON.stringify(message)));
    const exchange = exchangeOf(entry);
    learnSecretsOf(exchange, this.#options.redactor);
    const facts = to === undefined ? this.#requests.read(exchange) : this.#answerFacts(exchange, to);
    const checks = this.#judge.judge(to === undefined ? 'request' : 'answer', facts);
    this.#kept.add({ exchange, ...(to !== undefined && { sentTo: to }) }, checks);
    if (to === undefined && ++this.#received === this.#options.enough) this.#full.abort();
  }

  #answerFacts(exchange: Exchange, to: string): Facts {
    const addressed = this.#requests?.isPointOfAccess(`${to}${exchange.request.path}`) === true;
    return this.#answers.read(exchange, to, addressed);
  }

  get hasEnough(): AbortSignal {
    return this.#full.signal;
  }

  get steps(): ScenarioResult['steps'] {
    return this.#kept.steps;
  }

  get evidence(): NonNullable<RunResult['evidence']> {
    return this.#judge.evidence;
  }
}

/** Checks each message of an application against its duties. Each duty is reported once as satisfied, and once as violated. */
export class DutyJudge {
  readonly #duties: readonly Duty[];
  readonly #levelOf: (duty: Duty) => CheckLevel;
  readonly #reported = new Set<string>();
  /** By duty, the messages that could have violated it. */
  readonly #evidence = new Map<string, { exchanges: number; by: Map<string, number> }>();

  constructor(duties: readonly Duty[], levelOf: (duty: Duty) => CheckLevel) {
    this.#duties = duties;
    this.#levelOf = levelOf;
  }

  judge(of: Duty['of'], facts: Facts): CheckResult[] {
    const broken = new Set<string>();
    return this.#duties.flatMap((duty) => {
      if (duty.of !== of || duty.after.some((id) => broken.has(id)) || !isAbout(duty, facts)) return [];
      const failing = duty.demands.filter(([name, matcher]) => match(matcher, facts.get(name)) === 'failed');
      this.#count(duty, facts);
      if (failing.length > 0) broken.add(duty.id);
      const state = failing.length > 0 ? 'failed' : 'passed';
      if (this.#reported.has(`${state} ${duty.id}`)) return [];
      this.#reported.add(`${state} ${duty.id}`);
      const texts = (failing.length > 0 ? failing : duty.demands).map(([name]) => factText(name, facts));
      return [this.#resultOf(duty, state, texts.join('; '))];
    });
  }

  get evidence(): Readonly<Record<string, RuleEvidence>> {
    const entries = [...this.#evidence].map(([id, { exchanges, by }]) => {
      return [id, { exchanges, by: { operation: Object.fromEntries(by) } }] as const;
    });
    return Object.fromEntries(entries);
  }

  #count({ id }: Duty, facts: Facts): void {
    const known = this.#evidence.get(id) ?? { exchanges: 0, by: new Map<string, number>() };
    const what = String(facts.get('operation') ?? facts.get('notified'));
    known.exchanges += 1;
    known.by.set(what, (known.by.get(what) ?? 0) + 1);
    this.#evidence.set(id, known);
  }

  #resultOf(duty: Duty, state: 'passed' | 'failed', actual: string): CheckResult {
    const { id, demands, source, place } = duty;
    const level = this.#levelOf(duty);
    const expected = [`${demands.map(([name, matcher]) => `${name} ${predicate(matcher)}`).join('; ')} (${source})`];
    return { requirement: id, state, expected, actual, level, byRule: true, place };
  }
}

/** Whether all its facts are known, and its conditions hold. */
function isAbout({ when, demands }: Duty, facts: Facts): boolean {
  if ([...when, ...demands].some(([name]) => !facts.has(name))) return false;
  return when.every(([name, matcher]) => match(matcher, facts.get(name)) === 'passed');
}

/** Headers may contain secrets, and the message is in the report anyway. */
function factText(name: FactName, facts: Facts): string {
  const value = facts.get(name);
  if (name === 'headers') return 'headers are others';
  return value === undefined ? `${name} is absent` : `${name} is ${show(value)}`;
}
