import type { Judge, JudgeOptions } from '../../../oracle/judge.ts';
import { staysAt } from '../../../oracle/observation/parsed-request.ts';
import type { SendFacts } from '../../../oracle/observation/seen-exchange.ts';
import type { LoadedCheck } from '../../files/load.ts';
import type { Entry } from '../../files/scenario-entries.ts';
import { expectationOf, permittedBy } from '../../grammar/vocabulary.ts';
import type { AnswerObservation } from '../../judging/answer.ts';
import { type Block, judgeCheck, unsentCheck } from '../../judging/check.ts';
import { unmetControl } from '../../judging/expectation.ts';
import { titleOf } from '../../judging/sentences.ts';
import type { Names } from '../../messages/interpolate.ts';
import type { CheckLevel, CheckResult, StepResult } from '../../results/result.ts';
import type { MemberName } from '../../targets/installation.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** Makes the results of the steps of one scenario. */
export class StepResults {
  readonly #names: Names;
  readonly #levelOf: (requirement: string) => CheckLevel;

  constructor(names: Names, levelOf: (requirement: string) => CheckLevel) {
    this.#names = names;
    this.#levelOf = levelOf;
  }

  describe({ phase, step, place }: Entry): Pick<StepResult, 'phase' | 'title' | 'note' | 'place'> {
    const title = titleOf(step, this.#names);
    return { phase, title, ...(step.note !== undefined && { note: step.note }), ...(place && { place }) };
  }

  judge({ step, checks }: Entry, observation: AnswerObservation): CheckResult[] {
    const expect = expectationOf(step);
    const { noAnswer } = observation;
    // A missing request is one deviation, which names one requirement: its content is another matter.
    const missing = 'receive' in step && noAnswer !== undefined && checks.some(isAboutArrival) ? noAnswer : undefined;
    return checks.map((check) => {
      const level = this.#levelOf(check.requirement);
      return missing !== undefined && !isAboutArrival(check)
        ? { ...unsentCheck(check, level, { reason: missing, kind: 'blocked' }), actual: missing }
        : judgeCheck(check, { observation, names: this.#names, expect, level });
    });
  }

  /** The result of a step whose precondition does not hold: only that is checked. */
  unmet(entry: Entry, observation: AnswerObservation): { block: Block; result: StepResult } | undefined {
    const { step } = entry;
    const control = 'control' in step ? step.control : undefined;
    const unmet = control && unmetControl(control, titleOf(step, this.#names), observation, this.#names);
    if (unmet === undefined) return undefined;
    const block: Block = { reason: `blocked: ${unmet.says}`, kind: 'blocked', final: true };
    const stopped = this.unsent(entry, block);
    const own = this.judge(entry, observation).filter(({ requirement }) => requirement === unmet.requirement);
    const others = stopped.checks.filter(({ requirement }) => requirement !== unmet.requirement);
    const checks = [...own, ...others.map((check) => ({ ...check, actual: observation.summary }))];
    return { block, result: { ...stopped, checks } };
  }

  /** The result of a step that was not sent. */
  unsent(entry: Entry, block: Block): StepResult {
    const { kind, reason } = block;
    const heading = this.describe(entry);
    const prefix =
      kind === 'left out' ? 'left out: ' : kind === 'fault' ? `the engine failed in "${heading.title}": ` : '';
    const checks = entry.checks.map((check) => unsentCheck(check, this.#levelOf(check.requirement), block));
    return { ...heading, checks, problem: prefix + reason };
  }
}

/** Whether a check is about the arrival of a request, not only about its content. */
function isAboutArrival({ check }: LoadedCheck): boolean {
  return permittedBy(check).some(({ request }) => request?.method !== undefined);
}

type NamesByMember = Readonly<Partial<Record<MemberName, JudgeOptions['names']>>>;

/** Judges the exchanges of a scenario with each CSE of an installation, by earlier ones there. */
export class MemberJudges {
  readonly #judges = new Map<MemberName, Judge>();
  readonly #namesByMember: NamesByMember;
  /** URIs of certificates presented before. */
  readonly #uris = new Map<string, readonly string[]>();

  constructor(namesByMember: NamesByMember, judge: ScenarioContext['judge']) {
    this.#namesByMember = namesByMember;
    for (const member of ['gateway', 'backend'] as const) {
      const { [member]: names } = namesByMember;
      const found = names && judge?.(names);
      if (found !== undefined) this.#judges.set(member, found);
    }
  }

  get hasJudges(): boolean {
    return this.#judges.size > 0;
  }

  /** Adds the violations of rules by its whole exchange to a step; nothing where too little is known of it. */
  judge(
    step: StepResult,
    { isOrdinary = true, uris: presented, isKnown = true }: Partial<SendFacts> & { readonly isKnown?: boolean } = {},
  ): StepResult {
    const { exchange, on = 'gateway', checks } = step;
    const judge = this.#judges.get(on);
    const { [on]: names } = this.#namesByMember;
    if (exchange === undefined || judge === undefined || names === undefined) return step;
    // One CSE may have forwarded changes to the other.
    if (exchange.request.method !== 'GET' && !staysAt(exchange, names))
      for (const other of this.#judges.values()) if (other !== judge) other.doubtAll();
    if (!isKnown) judge.noteOnly(exchange);
    if (!isKnown) return step;
    const { certificate = '' } = exchange;
    if (presented !== undefined) this.#uris.set(certificate, presented);
    const uris = this.#uris.get(certificate);
    const broken = checks.filter(({ state }) => state === 'failed').map(({ requirement }) => requirement);
    const found = judge.judge(exchange, { broken, isOrdinary, ...(uris && { uris }) });
    return found.length === 0 ? step : { ...step, checks: [...checks, ...found] };
  }

  passTime(milliseconds: number): void {
    for (const judge of this.#judges.values()) judge.passTime(milliseconds);
  }
}
