import type { Target } from '../engine/targets/target.ts';
import { guarded } from './guard.ts';
import { Holdings } from './holdings.ts';
import { Recorder } from './recorder.ts';
import { Rules } from './rules.ts';

/** A target to which nothing but reads is sent, and none of what is not to be touched. */
export function onlyRead(target: Target, handsOff: readonly string[] = []): Target {
  const holdings = new Holdings('', { gateway: target.description });
  const rules = new Rules({ holdings, handsOff, readOnly: true });
  return guarded(target, 'gateway', { rules, recorder: new Recorder({ holdings, rules }) });
}
