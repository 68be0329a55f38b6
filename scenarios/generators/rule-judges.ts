import { milliseconds } from '../engine/grammar/duration.ts';
import type { Check } from '../engine/grammar/grammar-check.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import { interpolate } from '../engine/messages/interpolate.ts';
import type { Installation, Site } from '../engine/running/installation.ts';
import { Judge, type Judged } from '../oracle/judge.ts';
import type { LoadedRule } from '../oracle/rules.ts';
import type { Expected } from './model/expected.ts';
import type { Attempt } from './moves/move.ts';
import type { Failure } from './sequence-run.ts';
import type { Statistics } from './statistics.ts';

/** Of what is judged, how often it was. */
interface Counting {
  readonly judges?: (requirement: string) => boolean;
  readonly statistics?: Statistics | undefined;
}

/** Judges each exchange of a sequence by every rule that applies to it, at each CSE by what was seen there. */
export class RuleJudges {
  readonly #judges = new Map<Site, Judge>();
  /** What rules said of the exchange that was judged last. */
  #held: Judged[] = [];

  constructor(
    { gateway, backend, dialect, has }: Installation,
    rules: readonly LoadedRule[],
    { judges, statistics }: Counting = {},
  ) {
    const onRule = (judged: Judged) => {
      const { requirement, outcome } = judged;
      if (outcome !== 'unobserved' && judges?.(requirement)) statistics?.judged(requirement);
      this.#held.push(judged);
    };
    const looksAtPolicies = has.has('access control');
    for (const [site, target] of [['gateway', gateway] as const, ['backend', backend] as const]) {
      if (target === undefined) continue;
      const { description: names } = target;
      const about = { rules, dialect, names, looksAtPolicies, onRule };
      this.#judges.set(site, new Judge({ ...about, levelOf: () => 'documented' }));
    }
  }

  /** What the exchange breaks first. What is asked through another CSE is not judged, but may have changed what it is about. */
  judge(
    { step, on = 'gateway', host = on }: Pick<Attempt, 'step' | 'on' | 'host'>,
    exchange: Exchange,
  ): Failure | undefined {
    if (host !== on) this.#judges.get(host)?.overhear(exchange);
    this.#held = [];
    const [byRule] = this.#judges.get(on)?.judge(exchange, { isOrdinary: !('raw' in step) }) ?? [];
    const failed = this.#held.find(({ outcome }) => outcome === 'failed');
    if (byRule === undefined || failed === undefined) return undefined;
    const { requirement } = byRule;
    return { expected: { requirement, check: checkIn(failed) }, exchange, byRule };
  }

  /** Whether the exchange that was judged last breaks one of these, told before or not. */
  breaks(those: (requirement: string) => boolean): boolean {
    return this.#held.some(({ requirement, outcome }) => outcome === 'failed' && those(requirement));
  }

  /** What was demanded of the exchange that was judged last, in the words of checks. */
  get demanded(): Expected[] {
    const all = this.#held.map((judged) => ({ requirement: judged.requirement, check: checkIn(judged) }));
    return all.filter(({ check }) => Object.keys(check).length > 0);
  }

  passTime(duration: string): void {
    for (const judge of this.#judges.values()) judge.passTime(milliseconds(duration));
  }
}

/** Facts of one exchange alone, and times that no scenario captures: a check that names them says nothing of the next. */
const passing = /\$\{(date|asked|answer)\.|\.(lt|et)\}/;

/** With what was known then in the place of names; empty where only the rule itself can say it. */
function checkIn({ check, names }: Judged): Check {
  return passing.test(JSON.stringify(check)) ? {} : interpolate(check, names);
}
