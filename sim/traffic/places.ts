/** The containers into which simulated devices push. */
import type { Cse } from '../core/cse.ts';
import { localResource } from '../core/local-resource.ts';
import type { Resource } from '../core/resource.ts';
import type { Device } from './device.ts';

type Place = Pick<Device, 'into'> & Partial<Pick<Device, 'originator'>>;

/** Instances that a container keeps which nobody else has made. */
const keptInstances = 1_000;

/** Names below the CSE base. */
export function namesOf({ into }: Place, { configuration }: Cse): string[] {
  const names = into.split('/').filter((name) => name !== '');
  return names[0] === configuration.base ? names.slice(1) : names;
}

/** Who pushes there: who is said to, or the AE above the container. */
export function originatorOf(place: Place, cse: Cse): string | undefined {
  if (place.originator !== undefined) return place.originator;
  let found = resourceAt(namesOf(place, cse), cse);
  while (found !== undefined && found.values.aei === undefined) found = found.parent;
  return found && String(found.values.aei);
}

/** Creates what of the way there does not exist: an AE, and containers in it. Returns what is wrong when that cannot be. */
export function ensureContainer(place: Place, cse: Cse): string | undefined {
  const names = namesOf(place, cse);
  if (names.length < 2) return `${place.into} is no container in an AE; write AE/container`;
  cse.tree.expire(cse.services.ports.clock.now());
  for (let depth = 1; depth <= names.length; depth++) {
    if (resourceAt(names.slice(0, depth), cse) !== undefined) continue;
    const problem = create(names.slice(0, depth), place, cse);
    if (problem !== undefined) return problem;
  }
  const { type } = resourceAt(names, cse) ?? {};
  return type?.root === 'm2m:cnt' ? undefined : `${place.into} is there already, as ${type?.longName}`;
}

function create(names: readonly string[], place: Place, cse: Cse): string | undefined {
  const [name = '', ...above] = names.toReversed();
  const content =
    names.length === 1
      ? { 'm2m:ae': { rn: name, api: `N.${name}`, rr: false } }
      : { 'm2m:cnt': { rn: name, mni: keptInstances } };
  const from =
    place.originator ?? (names.length === 1 ? `C${name}` : originatorOf({ into: above.toReversed().join('/') }, cse));
  const to = [cse.configuration.base, ...above.toReversed()].join('/');
  const answer = cse.perform({ operation: 'create', to, content, ...(from !== undefined && { from }) });
  return answer.status.code < 3000 ? undefined : `${name} cannot be created: ${JSON.stringify(answer.content)}`;
}

function resourceAt(names: readonly string[], { tree, configuration }: Cse): Resource | undefined {
  return localResource([configuration.base, ...names].join('/'), tree, configuration);
}
