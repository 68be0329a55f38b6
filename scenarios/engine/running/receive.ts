import { milliseconds } from '../grammar/duration.ts';
import type { ReceiveStep } from '../grammar/grammar-step.ts';
import { nothingSeen, type Observation, viewOfRequest } from '../judging/answer.ts';
import { match } from '../judging/matchers.ts';
import type { ReceivedRequest } from '../messages/exchange.ts';
import { interpolateMatcher, type Names } from '../messages/interpolate.ts';
import type { PlayedBackend } from '../targets/played-backend.ts';
import type { Found } from '../targets/request-log.ts';

const usualWait = '30s';

interface Waiting {
  readonly names: Names;
  readonly from: number;
  readonly signal: AbortSignal;
  /** Milliseconds, where the target is known to be quicker than the step allows. */
  readonly most?: number;
}

/** Waits until a request has come that fits the step. */
export async function awaitRequest(
  step: ReceiveStep,
  played: PlayedBackend,
  { names, most = Number.POSITIVE_INFINITY, ...waiting }: Waiting,
): Promise<{ readonly found: Found | undefined; readonly observation: Observation }> {
  const { within = usualWait } = step;
  const fits = fitting(step, names);
  const found = await played.log.next(fits, { ...waiting, within: Math.min(milliseconds(within), most) });
  return { found, observation: found === undefined ? missed(within, played) : came(found.request) };
}

function fitting({ receive }: ReceiveStep, names: Names): (request: ReceivedRequest) => boolean {
  const path = receive.path === undefined ? undefined : interpolateMatcher(receive.path, names);
  const root = receive.root === undefined ? undefined : interpolateMatcher(receive.root, names);
  return (request) => {
    if (receive.method !== undefined && receive.method !== request.method) return false;
    if (path !== undefined && match(path, request.path) !== 'passed') return false;
    return root === undefined || match(root, viewOfRequest(request).root) === 'passed';
  };
}

function came(request: ReceivedRequest): Observation {
  return { view: viewOfRequest(request), summary: `${request.method} ${request.path}`, success: true };
}

function missed(within: string, { expected, description }: PlayedBackend): Observation {
  const nothing = `no such request came within ${within}`;
  const unknown = `; the harness, which listens at ${description.url}, cannot know whether the target is to register there`;
  const summary = expected ? nothing : nothing + unknown;
  return { view: nothingSeen, summary, nothing: summary, success: false };
}
