import type { LoadedCheck } from '../files/load.ts';
import type { Entry } from '../files/scenario-entries.ts';
import { expectationOf, permittedBy } from '../grammar/vocabulary.ts';
import type { AnswerObservation } from '../judging/answer.ts';
import { type Block, judgeCheck, unsentCheck } from '../judging/check.ts';
import { titleOf } from '../judging/sentences.ts';
import type { Names } from '../messages/interpolate.ts';
import type { CheckLevel, CheckResult, StepResult } from '../results/result.ts';

/** Makes the results of the steps of one scenario. */
export class StepResults {
  readonly #names: Names;
  readonly #levelOf: (requirement: string) => CheckLevel;

  constructor(names: Names, levelOf: (requirement: string) => CheckLevel) {
    this.#names = names;
    this.#levelOf = levelOf;
  }

  described({ phase, step, place }: Entry): Pick<StepResult, 'phase' | 'title' | 'note' | 'place'> {
    const title = titleOf(step, this.#names);
    return { phase, title, ...(step.note !== undefined && { note: step.note }), ...(place && { place }) };
  }

  judged({ step, checks }: Entry, seen: AnswerObservation): CheckResult[] {
    const expect = expectationOf(step);
    const { nothing } = seen;
    // That it did not come is one deviation, which names one requirement: what it should have said is another matter.
    const missing = 'receive' in step && nothing !== undefined && checks.some(isOfItsComing) ? nothing : undefined;
    return checks.map((check) => {
      const level = this.#levelOf(check.requirement);
      return missing !== undefined && !isOfItsComing(check)
        ? { ...unsentCheck(check, level, { reason: missing, kind: 'blocked' }), actual: missing }
        : judgeCheck(check, { seen, names: this.#names, expect, level });
    });
  }

  /** Of a step that was not sent. */
  unsent(entry: Entry, block: Block): StepResult {
    const { kind, reason } = block;
    const described = this.described(entry);
    const said =
      kind === 'left out' ? 'left out: ' : kind === 'fault' ? `the engine failed in "${described.title}": ` : '';
    const checks = entry.checks.map((check) => unsentCheck(check, this.#levelOf(check.requirement), block));
    return { ...described, checks, problem: said + reason };
  }
}

/** Whether a check of a request of the target looks at more than what the request says. */
function isOfItsComing({ check }: LoadedCheck): boolean {
  return permittedBy(check).some(({ request }) => request?.method !== undefined);
}
