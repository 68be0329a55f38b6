import type { Cse, ServedCse } from '../core/cse.ts';
import type { Answer, RequestPrimitive } from '../core/primitive.ts';
import type { Deviation, When } from './deviation.ts';
import { arrivalOf, isMeant } from './meant.ts';
import { actingOf } from './operators.ts';

/** The CSE as it is seen from outside with these deviations, the last one outermost. Its own state stays sound. */
export function deviating(core: Cse, deviations: readonly Deviation[]): ServedCse {
  if (deviations.length === 0) return core;
  const request = deviations.reduce<(request: RequestPrimitive) => Answer>(
    (serve, deviation) => around(serve, deviation, core),
    (one) => core.request(one),
  );
  const { configuration, services } = core;
  return { request, configuration, services, allowedOperations: (to) => core.allowedOperations(to) };
}

function around(
  serve: (request: RequestPrimitive) => Answer,
  { when, does }: Deviation,
  core: Cse,
): (request: RequestPrimitive) => Answer {
  const act = actingOf(does);
  const isOneOf = counting(when);
  return (request) => {
    const arrival = arrivalOf(request, core);
    return isMeant(when, arrival) && isOneOf() ? act(arrival, serve) : serve(request);
  };
}

function counting({ nth }: When): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    if (nth === undefined) return true;
    return 'every' in nth ? count % nth.every === 0 : count >= nth.from;
  };
}
