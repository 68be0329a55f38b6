import { isSending, type Step } from '../engine/grammar/grammar-step.ts';
import type { Plan } from '../engine/running/plan.ts';
import { entriesOf } from '../engine/running/scenario-entries.ts';
import { titleOf } from '../engine/running/step-title.ts';
import { isRead } from './request-lines.ts';

/** A plan in which what does more than read is not applicable, so that nothing of it is sent. */
export function readOnlyPlan(plan: Plan): Plan {
  const scenarios = plan.scenarios.map((scenario) => {
    const entries = scenario.inapplicable === undefined ? entriesOf(scenario, plan.dialect) : [];
    const write = entries.find(({ step }) => isWrite(step))?.step;
    if (write === undefined) return scenario;
    const inapplicable = `the run is to read only; this begins with: ${titleOf(write, new Map())}`;
    return { ...scenario, inapplicable, byChoice: true };
  });
  return { ...plan, scenarios };
}

function isWrite(step: Step): boolean {
  if (!isSending(step)) return false;
  if ('retrieve' in step) return step.query?.rt !== undefined && String(step.query.rt) !== '3';
  if ('discover' in step) return false;
  if (!('raw' in step)) return true;
  return 'bytes' in step.raw ? !/^\s*(GET|HEAD|OPTIONS) /.test(textOf(step.raw.bytes)) : !isRead(step.raw.method);
}

function textOf(bytes: unknown): string {
  if (Array.isArray(bytes)) return textOf(bytes[0]);
  return typeof bytes === 'string' ? bytes : '';
}
