/** Why something is sent: which request has come that it follows from. */

import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { Wrap } from '../deviation.ts';
import { handling } from '../vocabulary/blocks.ts';
import { type Arrival, arrivalOf } from './exchange.ts';
import { type Attributes, at, isObject } from './scope.ts';

/** A request by which something is sent. */
export interface Cause {
  readonly said: Attributes;
  readonly target: Resource | undefined;
}

const causes = new WeakMap<Cse, Map<unknown, Cause>>();

/** Remembers each request to change something by the names of what it changes, and of the targets that it names. */
export const noting: Wrap = handling((request, service, core) => {
  const arrival = arrivalOf(request, core, (one) => service.handle(one));
  if (['POST', 'PUT', 'DELETE'].includes(request.method)) {
    const known = causes.get(core) ?? new Map<unknown, Cause>();
    causes.set(core, known);
    for (const name of namesIn(arrival, core)) known.set(name, { said: saidIn(arrival), target: arrival.target });
  }
  return service.handle(request);
});

/** A create changes nothing that there is. */
function namesIn({ request, target, scope }: Arrival, { configuration }: Cse): readonly unknown[] {
  const given = at('given', scope);
  const targets = isObject(given) && at('root', scope) === 'm2m:sub' && Array.isArray(given.nu) ? given.nu : [];
  if (target === undefined || request.method === 'POST') return targets;
  const { id, path, values } = target;
  const announced = (values.at ?? []) as readonly string[];
  return [id, `/${configuration.cseId}/${id}`, path, `/${configuration.cseId}/${path}`, ...announced, ...targets];
}

const saidIn = ({ scope }: Arrival): Attributes => ({
  method: at('method', scope),
  from: at('from', scope),
  given: at('given', scope),
});

/** The latest request that is known by the first of these names under which one is. */
export function causeOf(names: readonly unknown[], core: Cse): Cause | undefined {
  const known = causes.get(core);
  return names.map((name) => known?.get(name)).find((one) => one !== undefined);
}
