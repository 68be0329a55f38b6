/** What the model holds of one resource, as expectations about an answer that shows it. */
import type { Matcher } from '../../../engine/grammar/grammar-matcher.ts';
import { isPlainText } from '../../model/contents.ts';
import { attribute, type Expected, expected, whenPresent } from '../../model/expected.ts';
import { kindFacts } from './kinds.ts';
import { bytesOf, type StandardModel } from './model.ts';
import { originatorPattern } from './originator.ts';
import { contentOf, instancesOf, type StandardResource } from './resource.ts';

const timestamp = '^[0-9]{8}T[0-9]{6}(,[0-9]{1,6})?$';
const isTimestamp = { matching: timestamp } satisfies Matcher;

/** An answer that shows a resource which the model holds. */
export function asHeld(resource: StandardResource, model: StandardModel): Expected[] {
  return [...common(resource), ...kept(resource, model), ...own(resource, model)];
}

/** "Universal" and "common" attributes: TS-0001 9.6.1.3. Written anew when the CSE has shown something new: it is asked for very often. */
function common(resource: StandardResource): Expected[] {
  const { shown, touched, parent } = resource;
  const { ri, ct, et } = shown;
  const seen = [ri, ct, et, parent?.shown.ri, touched].join();
  const known = commonOf.get(resource);
  if (known?.seen === seen) return known.expectations;
  const expectations = commonAnew(resource);
  commonOf.set(resource, { seen, expectations });
  return expectations;
}

const commonOf = new WeakMap<StandardResource, { readonly seen: string; readonly expectations: Expected[] }>();

function commonAnew({ kind, name, parent, shown, touched }: StandardResource): Expected[] {
  const area = kind === 'ae' ? 'std.ae.retrieve' : 'std.common';
  const { ri, ct, et } = shown;
  return [
    attribute(`${area}.ri`, 'ri', ri === undefined ? { is: 'text' } : { 'same as': ri }),
    attribute(`${area}.rn`, 'rn', name),
    attribute(`${area}.ty`, 'ty', kindFacts[kind].ty),
    attribute(`${area}.pi`, 'pi', parent?.shown.ri === undefined ? { is: 'text' } : { 'same as': parent.shown.ri }),
    attribute(`${area}.ct`, 'ct', isTimestamp),
    attribute(`${area}.lt`, 'lt', isTimestamp),
    attribute(`${area}.et`, 'et', isTimestamp),
    ...(ct === undefined ? [] : [whenPresent(`${area}.ct`, 'ct', { 'same as': ct })]),
    ...(et === undefined ? [] : [whenPresent('std.create.et.answered', 'et', { 'same as': et })]),
    ...(ct === undefined || touched ? [] : [whenPresent('std.create.lt', 'lt', { 'same as': ct })]),
    ...(ct === undefined || !touched ? [] : [whenPresent('std.update.lt', 'lt', { not: { before: ct } })]),
  ];
}

/** What the client gave is given back, and what it removed is not. */
function kept(resource: StandardResource, model: StandardModel): Expected[] {
  const { held, kind } = resource;
  return Object.keys(held).flatMap((name) => {
    const requirement = resource.heldBy.get(name) ?? keptBy(kind, name);
    const matcher = keptAs(resource, name, model);
    return requirement === undefined ? [] : [attribute(requirement, name, matcher)];
  });
}

/** Which requirement says that an attribute is kept as given on creation. */
function keptBy(kind: StandardResource['kind'], name: string): string | undefined {
  if (name === 'cr') return 'std.create.cr';
  if (name === 'acpi') return 'std.create.acpi';
  if (kind === 'ae') return aeAttributes.get(name);
  if (kind === 'content instance' && name === 'con') return 'std.content-instance.kept';
  if (kind === 'subscription' && name === 'nu') return 'std.subscription.kept';
  if (kind === 'group' && (name === 'mnm' || name === 'mid')) return 'std.group.kept';
  if (kind === 'access control policy' && name.startsWith('pv')) return 'std.policy.kept';
  if (kind === 'flex container') return name === 'cnd' ? 'std.flex-container.cnd' : flexRequirement(name);
  return `std.${kindFacts[kind].area}.optional`;
}

function flexRequirement(name: string): string | undefined {
  return name === 'lbl' ? undefined : 'std.flex-container.retrieve';
}

const aeAttributes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    api: 'std.ae.retrieve.api',
    rr: 'std.ae.retrieve.rr',
    lbl: 'std.ae.attribute.lbl',
    apn: 'std.ae.attribute.apn',
  }),
);

/** Addresses may be written in several ways, so that only their number is looked at; limits may be set by the CSE. */
function keptAs(resource: StandardResource, name: string, model: StandardModel): Matcher {
  const value = resource.held[name];
  if (value === null) return name === 'cr' ? { matching: originatorPattern(resource.owner, model) } : { is: 'absent' };
  if (name === 'mid') return { length: (value as unknown[]).length };
  if (name === 'nu' || name === 'acpi') return { length: (value as unknown[]).length };
  if (name === 'pv' || name === 'pvs') return { is: 'object' };
  if (name === 'enc') return { fields: { net: { equals: (value as { net: number[] }).net } } };
  if (name === 'mni' || name === 'mbs' || name === 'mia') return { is: 'integer' };
  if (typeof value === 'object') return { equals: value as never };
  return value as string | number | boolean;
}

function own(resource: StandardResource, model: StandardModel): Expected[] {
  switch (resource.kind) {
    case 'ae':
      return [attribute('std.ae.retrieve.aei', 'aei', { matching: originatorPattern(resource.owner, model) })];
    case 'container':
      return [...counters(resource), ...stateTag(resource), ...creatorNotAsked(resource)];
    case 'content instance':
      return content(resource);
    case 'group':
      return Array.isArray(resource.held.mid) ? [attribute('std.group.counted', 'cnm', resource.held.mid.length)] : [];
    default:
      return [];
  }
}

function creatorNotAsked({ held }: StandardResource): Expected[] {
  return 'cr' in held ? [] : [attribute('std.create.cr.not-asked', 'cr', { is: 'absent' })];
}

const counting = {
  new: ['std.container.counters', 'std.container.counters'],
  grown: ['std.container.cni.grows', 'std.container.cbs.grows'],
  shrunk: ['std.container.cni.shrinks', 'std.container.cbs.shrinks'],
  'made room': ['std.retention.mni.counted', 'std.retention.mbs.counted'],
} as const;

/** Only where it is certain which content instances the container holds. */
function counters(container: StandardResource): Expected[] {
  if (!container.known) return [];
  const instances = instancesOf(container);
  const others = container.children.some(({ kind }) => kind === 'container');
  const [number, bytes] = counting[container.counted];
  const cni = container.counted === 'new' && others ? 'std.container.cni.instances-only' : number;
  return [attribute(cni, 'cni', instances.length), attribute(bytes, 'cbs', bytesOf(instances))];
}

/** By how it was seen last, and what has changed it since. */
function stateTag({ shown: { st }, since }: StandardResource): Expected[] {
  if (st === undefined) return [];
  const { instances, updates, perhaps } = since;
  const least = st + instances + updates;
  if (updates > 0) return [attribute('std.container.st.counts-updates', 'st', { between: [least, unbounded] })];
  if (instances === 0) return [];
  const most = least + (perhaps > 0 ? unbounded : 0);
  return [attribute('std.container.st.counts-instances', 'st', perhaps > 0 ? { between: [least, most] } : least)];
}

const unbounded = 1_000_000;

function content(instance: StandardResource): Expected[] {
  const { con } = instance.held;
  if (typeof con !== 'string') return [];
  const plain = isPlainText(instance.held);
  const source = 'TS-0004 7.4.7.2.1 step 1 b)';
  const size = Buffer.byteLength(contentOf(instance));
  return [
    attribute(plain ? 'std.content-instance.con.text' : 'std.content-instance.con.utf-8', 'con', con),
    plain
      ? attribute('std.content-instance.cs', 'cs', size)
      : expected('std.content-instance.cs.bytes', {
          'one of': [
            { attributes: { cs: size }, source },
            { attributes: { con: { not: con } }, source: 'the same: it is the size of what the CSE has kept' },
          ],
        }),
  ];
}
