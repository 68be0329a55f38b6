import { match } from '../engine/judging/matchers.ts';
import { predicate } from '../engine/judging/sentences.ts';
import { show } from '../engine/messages/display.ts';
import type { RuleEvidence } from '../engine/results/requirement-result.ts';
import type { CheckLevel, CheckResult } from '../engine/results/result.ts';
import type { Duty } from './duty.ts';
import type { FactName, Facts } from './facts.ts';

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
    return Object.fromEntries(
      [...this.#evidence].map(([id, { exchanges, by }]) => [
        id,
        { exchanges, by: { operation: Object.fromEntries(by) } },
      ]),
    );
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
