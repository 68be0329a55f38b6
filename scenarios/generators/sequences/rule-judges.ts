import type { Check } from '../../engine/grammar/grammar-check.ts';
import { milliseconds } from '../../engine/grammar/names.ts';
import { interpolate } from '../../engine/messages/interpolate.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { Installation, MemberName } from '../../engine/targets/installation.ts';
import { ExpectedNotifications } from '../../oracle/expected-notifications.ts';
import { type CheckedRule, Judge } from '../../oracle/judge.ts';
import type { LoadedRule } from '../../oracle/rules.ts';
import type { Attempt } from '../moves/move.ts';
import type { SequenceFailure, SequenceOptions } from './sequence-run.ts';

/** What a requirement demands, in the scenario grammar. */
export type Demand = Pick<CheckedRule, 'requirement' | 'check'>;

/** Checks each exchange of a sequence by every rule that applies to it, at each CSE by what was seen there. */
export class RuleJudges {
  readonly #members = new Map<MemberName, { readonly judge: Judge; readonly notices: ExpectedNotifications }>();
  /** Rule results of the last exchange. */
  #ruleResults: CheckedRule[] = [];

  readonly #installation: Installation;

  /** `statistics`, if present, counts what is checked. */
  constructor(
    installation: Installation,
    rules: readonly LoadedRule[],
    { isChecked, statistics }: Partial<Pick<SequenceOptions, 'isChecked' | 'statistics'>> = {},
  ) {
    this.#installation = installation;
    const { gateway, backend, dialect, has } = installation;
    const onRule = (judged: CheckedRule) => {
      const { requirement, outcome } = judged;
      if (outcome !== 'unobserved' && isChecked?.(requirement)) statistics?.checked(requirement);
      this.#ruleResults.push(judged);
    };
    const looksAtPolicies = has.has('access control');
    for (const [member, target] of [['gateway', gateway] as const, ['backend', backend] as const]) {
      if (target === undefined) continue;
      const notices = new ExpectedNotifications();
      const onSeen = notices.note.bind(notices);
      const { description: names } = target;
      const about = { rules, dialect, names, looksAtPolicies, levelOf: () => 'documented' as const };
      this.#members.set(member, { judge: new Judge({ ...about, onRule, onSeen }), notices });
    }
  }

  /** The first rule that the exchange breaks. A forwarded request may change the other CSE, and is checked there. */
  judge(
    { step, by, on = 'gateway', host = on }: Pick<Attempt, 'step' | 'by' | 'on' | 'host'>,
    exchange: Exchange,
  ): SequenceFailure | undefined {
    this.#ruleResults = [];
    const isJudged = host !== on && this.#isVouchedFor(by, on);
    const through = host === on ? undefined : this.#members.get(host)?.judge.judgeForwarded(exchange, { isJudged });
    const direct = this.#members.get(on)?.judge.judge(exchange, { isOrdinary: !('raw' in step) });
    const [byRule] = [...(through ?? []), ...(direct ?? [])];
    const failed = this.#ruleResults.find(({ outcome }) => outcome === 'failed');
    if (byRule === undefined || failed === undefined) return undefined;
    const { requirement } = byRule;
    return { expected: { requirement, check: checkIn(failed) }, exchange, byRule };
  }

  /** Over TLS a CSE vouches for itself and those below it: originators of another may be refused. */
  #isVouchedFor(by: string, entry: MemberName): boolean {
    const { has, originator, [entry]: member } = this.#installation;
    const isAnybody = has.has('any originator') && originator === undefined;
    if (has.has('plain HTTP') || (isAnybody && (by !== 'visitor' || entry === 'gateway'))) return true;
    const { cseId, spId } = member?.description ?? {};
    return originator?.startsWith(`//${spId}/${cseId}/`) === true;
  }

  /** Whether the last exchange breaks one of these, reported before or not. */
  breaks(those: (requirement: string) => boolean): boolean {
    return this.#ruleResults.some(({ requirement, outcome }) => outcome === 'failed' && those(requirement));
  }

  /** What was demanded of the last exchange, as checks. */
  get demanded(): Array<Pick<CheckedRule, 'requirement' | 'check' | 'outcome'>> {
    const all = this.#ruleResults.map((judged) => ({ ...judged, check: checkIn(judged) }));
    return all.filter(({ check }) => Object.keys(check).length > 0);
  }

  /** URLs to which a CSE certainly sent notifications not yet read; `all`: or ever was to send any. */
  pendingInboxes(member: MemberName, all: boolean): string[] {
    return this.#members.get(member)?.notices.expecting(all) ?? [];
  }

  /** Demands on what came to one of them since it was last read. */
  demandedOf(member: MemberName, url: string): Demand[] {
    const { notices, judge } = this.#members.get(member) ?? {};
    return notices?.take(url, judge?.resources ?? []) ?? [];
  }

  passTime(duration: string): void {
    for (const { judge, notices } of this.#members.values()) {
      judge.passTime(milliseconds(duration));
      notices.passTime();
    }
  }
}

/** Facts of one exchange, and times that no scenario captures: a check with them says nothing of the next. */
const passing = /\$\{(date|asked|answer)\.|\.(lt|et)\}/;

/** With values in place of names; empty if only the rule itself can say it. */
function checkIn({ check, names }: CheckedRule): Check {
  return passing.test(JSON.stringify(check)) ? {} : interpolate(check, names);
}
