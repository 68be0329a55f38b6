import type { Check } from '../../engine/grammar/grammar-check.ts';
import { formRequirement, originatorPattern, pathOf, type StandardForm } from '../model/address.ts';
import { isPlainText } from '../model/contents.ts';
import { attribute, type Expected, expected } from '../model/expected.ts';
import type { Model } from '../model/model.ts';
import { bytesOf, instancesOf, isDoubtful, kindFacts, type ModelResource } from '../model/resource.ts';
import { takeShown } from '../moves/looks.ts';
import { ask, type Came, type Part } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';

/** A read by its path, of what the model holds. */
export function* read(
  resource: ModelResource,
  ground: Ground,
  operation = 'retrieve',
  more: readonly Expected[] = [],
): Part<Came> {
  const { owner: by, kind } = resource;
  const expectations = [...more, ...readExpectations(resource, 'structured', ground)];
  const step = { retrieve: pathOf(resource, ground.model) };
  const came = yield ask(step, operation, expectations, { by, expect: 'success', kind });
  takeShown(resource, came);
  return came;
}

export function readExpectations(resource: ModelResource, form: StandardForm, { model }: Ground): Expected[] {
  const { area, root } = kindFacts[resource.kind];
  const named = attribute(formRequirement[form], 'rn', resource.name);
  const ofForm = form === 'structured' ? [] : [named];
  if (isDoubtful(resource)) return [...ofForm, ...asHeld(resource, model)];
  const status = answered(`std.${area}.retrieve`, 2000, { root });
  return [...inForm(form), ...ofForm, ...status, ...asHeld(resource, model)];
}

/** That a form of address other than the usual one is understood. */
export function inForm(form: StandardForm): Expected[] {
  return form === 'structured' ? [] : [understood(formRequirement[form])];
}

/** What the model holds of it and no rule can tell. */
export function asHeld(resource: ModelResource, model: Model): Expected[] {
  const { kind, owner, held } = resource;
  const matching = originatorPattern(owner, model);
  if (kind === 'ae') return [attribute('std.ae.retrieve.aei', 'aei', { matching })];
  const creator = held.cr === null ? [attribute('std.create.cr', 'cr', { matching })] : [];
  if (kind !== 'container') return creator;
  const notAsked = 'cr' in held ? creator : [attribute('std.create.cr.not-asked', 'cr', { is: 'absent' })];
  return [...notAsked, ...counters(resource)];
}

/** Where it is certain which content instances it holds: rules cannot tell what a limit has cost. */
function counters(container: ModelResource): Expected[] {
  const { known, counted, held, shown } = container;
  const limits = [shown.mni, shown.mbs, held.mni, held.mbs, held.mia];
  if (!known || limits.every((one) => one === undefined)) return [];
  const instances = instancesOf(container);
  const [number, bytes] = counting[counted];
  // How content beyond ASCII counts is what the size of each says.
  const isPlain = instances.every(({ held: content }) => isPlainText(content));
  const size = isPlain ? [attribute(bytes, 'cbs', bytesOf(instances))] : [];
  return [attribute(number, 'cni', instances.length), ...size];
}

const counting = {
  grown: ['std.container.cni.grows', 'std.container.cbs.grows'],
  shrunk: ['std.container.cni.shrinks', 'std.container.cbs.shrinks'],
  'made room': ['std.retention.mni.counted', 'std.retention.mbs.counted'],
} as const;

/** The response status code of each operation that is carried out (TS-0004 6.6.3.2). */
export const codes = { create: 2001, retrieve: 2000, update: 2004, delete: 2002 } as const;

/** That the answer has this code; which status goes with it, rules say but for some (TS-0009 6.3.2). */
export function answered(requirement: string, rsc: number, more?: Check): Expected[] {
  const code = expected(requirement, { rsc, ...more });
  const status = statuses.get(rsc);
  if (status === undefined) return [code];
  const source = 'TS-0009 6.3.2';
  const otherwise = { rsc: { not: rsc }, source: `${source}: where another code is answered, this row says nothing` };
  return [code, expected(`std.http.${rsc}`, { 'one of': [{ rsc, status, source }, otherwise] })];
}

const statuses: ReadonlyMap<number, number> = new Map([
  [4108, 403],
  [5207, 406],
]);

/** The address is understood: whatever is answered, it is not that nothing is there, that there is no way to it, or that it is none. */
export function understood(requirement: string): Expected {
  return expected(requirement, { rsc: { not: { 'one of': [4000, 4004, 5103] } } });
}

/** One of these codes, each by its source. */
export function oneOfCodes(requirement: string, codes: Readonly<Record<string, string>>): Expected {
  const permitted = Object.entries(codes).map(([rsc, source]) => ({ rsc: Number(rsc), source }));
  return expected(requirement, { 'one of': permitted });
}
