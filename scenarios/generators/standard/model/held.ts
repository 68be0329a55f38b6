/** What the model holds of one resource and no rule can tell, as expectations about an answer that shows it. */
import type { Matcher } from '../../../engine/grammar/grammar-matcher.ts';
import { originatorPattern } from '../../model/address.ts';
import { attribute, type Expected, whenPresent } from '../../model/expected.ts';
import type { Model } from '../../model/model.ts';
import { bytesOf, instancesOf, type Resource } from '../../model/resource.ts';

export function asHeld(resource: Resource, model: Model): Expected[] {
  const { kind, owner, held } = resource;
  const kept = model.isBlind ? [...chosen(resource), ...given(resource)] : [];
  const matching = originatorPattern(owner, model);
  if (kind === 'ae') return [...kept, attribute('std.ae.retrieve.aei', 'aei', { matching })];
  const creator = held.cr === null ? [attribute('std.create.cr', 'cr', { matching })] : [];
  if (kind !== 'container') return [...kept, ...creator];
  const notAsked = 'cr' in held ? creator : [attribute('std.create.cr.not-asked', 'cr', { is: 'absent' })];
  return [...kept, ...notAsked, ...counters(resource, model)];
}

/** What the CSE has chosen stays. */
function chosen({ kind, shown }: Resource): Expected[] {
  const area = kind === 'ae' ? 'std.ae.retrieve' : 'std.common';
  return (['ri', 'ct'] as const).flatMap((name) => {
    const value = shown[name];
    return value === undefined ? [] : [whenPresent(`${area}.${name}`, name, { 'same as': value })];
  });
}

/** What a creation or an update has given is given back. */
function given({ kind, held, updated }: Resource): Expected[] {
  return Object.entries(held).flatMap(([name, value]) => {
    const matcher = keptAs(name, value);
    if (matcher === undefined) return [];
    if (updated.has(name)) return [attribute('std.every.attribute.updated', name, matcher)];
    const isOfAe = kind === 'ae' && (name === 'lbl' || name === 'apn');
    return [attribute(isOfAe ? `std.ae.attribute.${name}` : 'std.every.attribute.given', name, matcher)];
  });
}

/** Addresses may be written in several ways, so that only their number is looked at; limits may be set by the CSE. */
function keptAs(name: string, value: unknown): Matcher | undefined {
  if (value === null) return name === 'cr' ? undefined : { is: 'absent' };
  if (Array.isArray(value) && addresses.has(name)) return { length: value.length };
  if (name === 'pv' || name === 'pvs') return { is: 'object' };
  if (name === 'enc') return { fields: { net: { equals: (value as { net: number[] }).net } } };
  if (name === 'mni' || name === 'mbs' || name === 'mia') return { is: 'integer' };
  return typeof value === 'object' ? { equals: value as never } : (value as string | number | boolean);
}

const addresses: ReadonlySet<string> = new Set(['mid', 'nu', 'acpi']);

/** Where it is certain which content instances it holds: rules cannot tell what a limit has cost. */
function counters(container: Resource, { isBlind }: Model): Expected[] {
  const { known, counted, held, shown } = container;
  const limits = [shown.mni, shown.mbs, held.mni, held.mbs, held.mia];
  if (!known || (!isBlind && limits.every((one) => one === undefined))) return [];
  const instances = instancesOf(container);
  const [number, bytes] = counting[counted];
  return [attribute(number, 'cni', instances.length), attribute(bytes, 'cbs', bytesOf(instances))];
}

const counting = {
  grown: ['std.container.cni.grows', 'std.container.cbs.grows'],
  shrunk: ['std.container.cni.shrinks', 'std.container.cbs.shrinks'],
  'made room': ['std.retention.mni.counted', 'std.retention.mbs.counted'],
} as const;
