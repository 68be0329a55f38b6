/** Flexible containers (TS-0001, clause 9.6.35): one type for each definition, with its attributes. */
import type { CseConfiguration } from '../core/configuration.ts';
import { getOrInsert } from '../core/memoize.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import { Resource } from '../core/resource.ts';
import {
  type DialectName,
  type ResourceType,
  type ResourceTypeTable,
  type TabledAttribute,
  typeIn,
} from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { CseError } from '../core/status.ts';
import type { Tree } from '../core/tree.ts';
import { type RequestedAttributes, updated } from '../core/validate.ts';
import { optional, readOnly, required, requiredOnce } from './attribute-forms.ts';
import { contentLength } from './byte-length.ts';
import { announceable, common, controlled, creator, location, retention, stateTag } from './common.ts';
import type { FlexDefinition } from './flex-definitions.ts';
import { enforceLimits, evictFor } from './retention.ts';

const simpleTypes = {
  text: 'text',
  number: 'number',
  integer: 'any integer',
  count: 'integer',
  boolean: 'boolean',
  timestamp: 'absolute or relative timestamp',
  list: { listOf: 'any' },
} as const;

const { mni, mbs, mia } = retention;

/** Attributes after those of a definition. */
const general = {
  cs: readOnly('integer', 'contentSize'),
  ...stateTag,
  // Shown only while instances are kept.
  cni: { ...retention.cni, compute: (r) => (keepsInstances(r) ? (r.instances?.size ?? 0) : undefined) },
  cbs: { ...retention.cbs, compute: (r) => (keepsInstances(r) ? r.instanceBytes : undefined) },
  mni,
  mbs,
  mia,
  fcied: optional('boolean', 'fcinEnabled'),
  or: optional('text', 'ontologyRef'),
  nl: optional('text', 'nodeLink'),
  ...controlled,
  ...announceable,
  ...location,
} as const satisfies Record<string, TabledAttribute>;

export function flexContainer({ root, cnd, attributes }: FlexDefinition): ResourceTypeTable {
  const own: Record<string, TabledAttribute> = {};
  const alternatives: Alternative[] = [];
  for (const [short, { long, type, mandatory, or }] of Object.entries(attributes)) {
    own[short] = (mandatory && or === undefined ? required : optional)(simpleTypes[type], long);
    if (or !== undefined) alternatives.push([short, or]);
  }
  return {
    ty: 28,
    root,
    longName: 'flexContainer',
    ...(cnd !== undefined && { definition: cnd }),
    children: [3, 23, 28, 29],
    holdsInstances: true,
    attributes: {
      ...common,
      ...creator,
      cnd: requiredOnce('text', 'containerDefinition', { announced: 'always' }),
      ...own,
      ...general,
    },
    ...behaviourOf(root, cnd, Object.keys(own), alternatives),
  };
}

function behaviourOf(
  root: string,
  cnd: string | undefined,
  ownNames: readonly string[],
  alternatives: readonly Alternative[],
): Pick<ResourceTypeTable, 'assign' | 'stored' | 'updating' | 'updated'> {
  return {
    assign(resource, { configuration }, request) {
      checkDefinition(root, cnd, resource.values.cnd, configuration);
      checkAlternatives(resource.values, alternatives);
      resource.values.cs = sizeOf(resource.values, ownNames);
      checkLimits(resource.values, configuration, request);
      checkSize(resource.values.cs, resource.values, true);
    },
    stored: (resource, services, request) => keepInstance(resource, ownNames, services, request),
    updating(resource, requested, { configuration }, request) {
      const after = changedBy(requested, resource.values);
      checkAlternatives(after, alternatives);
      checkLimits(after, configuration, request);
      checkSize(sizeOf(after, ownNames), after, requested.values.mbs !== undefined);
    },
    updated(resource, changed, services, request) {
      resource.values.cs = sizeOf(resource.values, ownNames);
      if (changed.includes('fcied')) switchInstances(resource, services);
      const starts = changed.includes('fcied') && resource.instances?.first === undefined;
      if (starts || changed.some((name) => name === 'lbl' || ownNames.includes(name))) {
        keepInstance(resource, ownNames, services, request);
      }
      enforceLimits(resource, services);
    },
  };
}

/** TS-0004, clause 7.4.37.2.1: refuses an unknown definition, and one that contradicts the root key. */
function checkDefinition(root: string, cnd: string | undefined, actual: unknown, { types }: CseConfiguration): void {
  if (cnd === undefined || actual === cnd) return;
  if (types.some(({ definition }) => definition === actual)) {
    throw new CseError('BAD_REQUEST', `cnd of ${root} must be ${cnd}, not ${JSON.stringify(actual)}.`);
  }
  throw new CseError('SPECIALIZATION_SCHEMA_NOT_FOUND', `The definition ${JSON.stringify(actual)} (cnd) is unknown.`);
}

/** Two names of one attribute, in different releases of its definition. */
type Alternative = readonly [one: string, other: string];

function checkAlternatives(values: Resource['values'], alternatives: readonly Alternative[]): void {
  const wrong = alternatives.find((names) => names.filter((name) => values[name] !== undefined).length !== 1);
  if (wrong !== undefined) throw new CseError('BAD_REQUEST', `There must be one of ${wrong.join(' and ')}.`);
}

/** The values after an update; removing `fcied` removes limits that it does not set. */
function changedBy(requested: RequestedAttributes, before: Resource['values']): Resource['values'] {
  const { values, removed } = requested;
  const dropped = removed.includes('fcied') ? limits.filter((name) => values[name] === undefined) : [];
  return updated({ ...requested, removed: [...removed, ...dropped] }, before);
}

const limits = ['mni', 'mbs', 'mia'] as const;

/** In these, without `fcied`, a limit alone enables instances. */
const releasesWithoutFcied: ReadonlySet<string> = new Set(['2a', '3']);

/** Limits require `fcied`, and are never 0. */
function checkLimits(values: Resource['values'], { dialect }: CseConfiguration, request: RequestPrimitive): void {
  if (dialect.name !== 'onem2m') return;
  const present = limits.filter((name) => values[name] !== undefined);
  const { releaseVersionIndicator: release = '' } = request;
  if (present.length > 0 && values.fcied === undefined && !releasesWithoutFcied.has(release)) {
    throw new CseError('BAD_REQUEST', `${present.join(', ')} without fcied, which says whether instances are kept.`);
  }
  const none = present.find((name) => values[name] === 0);
  if (none !== undefined) throw new CseError('BAD_REQUEST', `${none} must be greater than 0.`);
}

function checkSize(bytes: number, { mbs }: Resource['values'], isLimitNew: boolean): void {
  if (typeof mbs !== 'number' || bytes <= mbs) return;
  throw new CseError(isLimitNew ? 'BAD_REQUEST' : 'NOT_ACCEPTABLE', `${bytes} bytes are more than the mbs of ${mbs}.`);
}

/** Bytes of the attributes of the definition. */
function sizeOf(values: Resource['values'], names: readonly string[]): number {
  let bytes = 0;
  for (const name of names) if (values[name] !== undefined) bytes += contentLength(values[name]);
  return bytes;
}

/** With `fcied` true as many as the limits allow, with false the latest; or with a limit alone. */
function keepsInstances({ values }: Resource): boolean {
  return values.fcied !== undefined || (values.mni ?? values.mbs ?? values.mia) !== undefined;
}

/** After a change of `fcied`: removes surplus instances, and without `fcied` the limits. */
function switchInstances(container: Resource, { tree }: Services): void {
  if (container.values.fcied === undefined) {
    container.values = { ...container.values };
    for (const name of limits) delete container.values[name];
    removeAllBut(0, container, tree);
  } else if (container.values.fcied === false) removeAllBut(1, container, tree);
}

function removeAllBut(kept: number, { instances }: Resource, tree: Tree): void {
  while (instances?.first !== undefined && instances.size > kept) tree.remove(instances.first, 'to make room');
}

/** Stores the present content of the container as its latest instance (TS-0001 R4, clause 10.2.4.15). */
function keepInstance(
  container: Resource,
  names: readonly string[],
  { maker, configuration, ports, tree }: Services,
  request: RequestPrimitive,
): void {
  if (!keepsInstances(container)) return;
  const type = getOrInsert(instanceTypes, container.type, () =>
    instanceType(container.type, configuration.dialect.name),
  );
  const values: Resource['values'] = { cs: container.values.cs ?? 0, ...(request.from && { org: request.from }) };
  values.st = container.stateTag;
  for (const name of names) if (container.values[name] !== undefined) values[name] = container.values[name];
  const created = maker.tick();
  const id = `fci${ports.randomText(10)}`;
  const instance = new Resource({ type, id, name: id, parent: container, created, expires: container.expires, values });
  instance.labels = container.labels;
  if (container.values.fcied === false) removeAllBut(0, container, tree);
  evictFor(container, instance, tree);
  tree.add(instance);
}

const instanceTypes = new WeakMap<ResourceType, ResourceType>();

/** The type of a container's instances: its own attributes, and the originator of the change. */
function instanceType(container: ResourceType, dialect: DialectName): ResourceType {
  const { root } = container;
  const own = Object.fromEntries(
    container.entries
      .filter(({ name }) => !(name in common) && container.attributes[name]?.compute === undefined)
      .filter(({ name }) => !excluded.has(name))
      .map(({ name, definition }) => [
        name,
        { ...definition, create: 'not permitted', update: 'not permitted' } as const,
      ]),
  );
  return typeIn(dialect, {
    ty: 58,
    root,
    prefix: 'fci',
    longName: 'flexContainerInstance',
    operations: ['retrieve', 'delete'],
    isInstance: true,
    attributes: {
      ...common,
      ...own,
      st: readOnly('integer', 'stateTag'),
      cs: readOnly('integer', 'contentSize'),
      org: readOnly('text', 'originator'),
    },
  });
}

const excluded: ReadonlySet<string> = new Set([
  ...['cnd', 'cr', 'fcied', 'or', 'nl', 'loc', ...limits],
  ...Object.keys({ ...controlled, ...announceable }),
]);
