/** The resource types of the CSE. */
import { getOrInsert } from '../core/memoize.ts';
import { firstAnnouncedType } from '../core/numbers.ts';
import {
  announcedRoot,
  type DialectName,
  type ResourceType,
  type ResourceTypeTable,
  type TabledAttribute,
  typeIn,
} from '../core/resource-type.ts';
import { accessControlPolicy } from './access-control-policy.ts';
import { ae } from './ae.ts';
import { optional, required } from './attribute-forms.ts';
import { common, controlled, location } from './common.ts';
import { container } from './container.ts';
import { contentInstance } from './content-instance.ts';
import { cseBase } from './cse-base.ts';
import { flexContainer } from './flex-container.ts';
import { type FlexDefinition, flexDefinitions, modelDefinitions } from './flex-definitions.ts';
import { group } from './group.ts';
import { managementObjects } from './management-object.ts';
import { node } from './node.ts';
import { pollingChannel } from './polling-channel.ts';
import { remoteCse } from './remote-cse.ts';
import { request } from './request.ts';
import { assignIdentifier } from './service-provider-ae.ts';
import { subscription } from './subscription.ts';
import { timeSeries, timeSeriesInstance } from './time-series.ts';

const tables: readonly ResourceTypeTable[] = [
  accessControlPolicy,
  cseBase,
  ae,
  container,
  contentInstance,
  group,
  remoteCse,
  node,
  pollingChannel,
  request,
  subscription,
  ...managementObjects,
  timeSeries,
  timeSeriesInstance,
  {
    ...announcedType(ae, [1, 3, 9, 23, 28, 29, 10_001, 10_003, 10_009, 10_028, 10_029]),
    assign: assignIdentifier,
  },
  announcedType(container, [3, 4, 23, 28, 29, 10_003, 10_004, 10_028, 10_029]),
  announcedType(contentInstance, []),
  announcedType(accessControlPolicy, [23]),
  announcedType(group, [23]),
  ...[
    announcedType(cseBase, [1, 3, 9, 23, 28, 29, 10_001, 10_002, 10_003, 10_009, 10_014, 10_028, 10_029]),
    announcedType(node, [23, 28, 10_013, 10_028]),
    ...managementObjects.map((object) => announcedType(object, [23])),
    announcedType(timeSeries, [23, 30, 10_030]),
    announcedType(timeSeriesInstance, []),
  ].map(onem2mOnly),
];

function onem2mOnly(table: ResourceTypeTable): ResourceTypeTable {
  return { ...table, only: 'onem2m' };
}

function flexible(definition: FlexDefinition): readonly ResourceTypeTable[] {
  const type = flexContainer(definition);
  return [type, onem2mOnly(announcedType(type, [3, 23, 28, 29, 10_003, 10_028, 10_029]))];
}

const baseTypes = new Map<DialectName, readonly ResourceType[]>();
const allTypes = new Map<DialectName, readonly ResourceType[]>();

/** The types of a dialect that documents list and deviations are drawn for. */
export function typesIn(dialect: DialectName): readonly ResourceType[] {
  return getOrInsert(baseTypes, dialect, () => build(dialect, [...tables, ...flexDefinitions.flatMap(flexible)]));
}

/** All types of a CSE: also flexible containers for device models and its own definitions, and their announced variants. */
export function typesOfCse(dialect: DialectName, own: readonly FlexDefinition[] = []): readonly ResourceType[] {
  const known = getOrInsert(allTypes, dialect, () => [
    ...typesIn(dialect),
    ...build(dialect, modelDefinitions.flatMap(flexible)),
  ]);
  return own.length === 0 ? known : [...known, ...build(dialect, own.flatMap(flexible))];
}

function build(dialect: DialectName, all: readonly ResourceTypeTable[]): readonly ResourceType[] {
  return all
    .filter(({ only }) => only === undefined || only === dialect)
    .map(({ children = [], ...table }) =>
      typeIn(dialect, { ...table, children: [...children, ...placedBelow(table)] }),
    );
}

const placedBelow = ({ ty }: Pick<ResourceTypeTable, 'ty'>) =>
  tables.filter(({ parents }) => parents?.includes(ty)).map((type) => type.ty);

// Announced resources (TS-0001, clause 9.6.26): copies of resources of another CSE.

/** The announced variant of a type: a link to the original, and the attributes that may be announced. */
export function announcedType(original: ResourceTypeTable, children: readonly number[]): ResourceTypeTable {
  const anyOptional = { create: 'optional', update: 'optional' } as const;
  const own: Record<string, TabledAttribute> = {};
  for (const [name, attribute] of Object.entries(original.attributes)) {
    if (attribute.announced === 'never' || name in common || name in controlled) continue;
    const { permanent: _permanent, compute: _compute, documented, ...announced } = attribute;
    own[name] = { ...announced, ...anyOptional, documented: { type: documented?.type ?? attribute.type } };
  }
  return {
    ty: firstAnnouncedType + original.ty,
    root: announcedRoot(original),
    prefix: `${original.root.slice(original.root.indexOf(':') + 1)}A`,
    longName: `${original.longName}Annc`,
    children,
    attributes: {
      ...common,
      lnk: required('text', 'link'),
      ...own,
      ast: optional({ oneOf: [1, 2] }, 'announceSyncType'),
      ...controlled,
      ...location,
    },
  };
}
