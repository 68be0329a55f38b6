/** What an answer that is not as it was to be may come from, beside the target. */
import { expectationOf, type SendingStep } from '../grammar/grammar-step.ts';
import { isSuccess, type Observation } from '../judging/answer.ts';
import type { Exchange } from '../messages/exchange.ts';
import type { prepare } from '../messages/request.ts';
import type { StepResult } from '../result.ts';
import type { Acting } from './acting.ts';
import type { Installation } from './installation.ts';
import { exchangeOf } from './sending.ts';
import type { Entry } from './step-results.ts';

interface Sent {
  readonly entry: Entry<SendingStep>;
  readonly acting: Acting;
  readonly installation: Installation;
}

/** Where a target refuses the expiration time that was added, and nothing else of the request, it is told none any more. */
export async function withoutExpiration(
  first: Exchange,
  bare: () => ReturnType<typeof prepare>,
  { entry: { step, checks }, acting, installation }: Sent,
): Promise<Exchange> {
  const { refused } = installation.lifetime ?? {};
  if (refused === undefined || first.answer?.status !== 400 || expectationOf(step) !== 'success') return first;
  const prepared = bare();
  if ((await acting.target.objection(prepared.request, acting.way)) !== undefined) return first;
  const second = await exchangeOf(prepared, acting, checks);
  if (!isSuccess(second)) return first;
  refused.isSo = true;
  return second;
}

/** Whether a step did not go as it was to go, or a check of it failed. */
export function fallsShort({ step }: Entry, { checks }: StepResult, { success }: Observation): boolean {
  return checks.some(({ state }) => state === 'failed') || (expectationOf(step) === 'success' && !success);
}
