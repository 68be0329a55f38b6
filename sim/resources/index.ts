/** The kinds that the CSE knows. */
import { getOrInsert } from '../core/get-or-insert.ts';
import { type DialectName, kindIn, type ResourceType, type ResourceTypeTable } from '../core/resource-type.ts';
import { accessControlPolicy } from './access-control-policy.ts';
import { ae } from './ae.ts';
import { assignIdentifier } from './ae-of-provider.ts';
import { announcedKind } from './announced.ts';
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
    ...announcedKind(ae, [1, 3, 9, 23, 28, 29, 10_001, 10_003, 10_009, 10_028, 10_029]),
    assign: assignIdentifier,
  },
  announcedKind(container, [3, 4, 23, 28, 29, 10_003, 10_004, 10_028, 10_029]),
  announcedKind(contentInstance, []),
  announcedKind(accessControlPolicy, [23]),
  announcedKind(group, [23]),
  ...[
    announcedKind(cseBase, [1, 3, 9, 23, 28, 29, 10_001, 10_002, 10_003, 10_009, 10_014, 10_028, 10_029]),
    announcedKind(node, [23, 28, 10_013, 10_028]),
    ...managementObjects.map((object) => announcedKind(object, [23])),
    announcedKind(timeSeries, [23, 30, 10_030]),
    announcedKind(timeSeriesInstance, []),
  ].map(ofTheStandard),
];

function ofTheStandard(table: ResourceTypeTable): ResourceTypeTable {
  return { ...table, only: 'onem2m' };
}

function flexible(definition: FlexDefinition): readonly ResourceTypeTable[] {
  const kind = flexContainer(definition);
  return [kind, ofTheStandard(announcedKind(kind, [3, 23, 28, 29, 10_003, 10_028, 10_029]))];
}

const ofEveryCse = new Map<DialectName, readonly ResourceType[]>();
const withModels = new Map<DialectName, readonly ResourceType[]>();

/** Those that documents tell, and deviations are drawn about, as they are in a dialect. */
export function kindsIn(dialect: DialectName): readonly ResourceType[] {
  return getOrInsert(ofEveryCse, dialect, () => made(dialect, [...tables, ...flexDefinitions.flatMap(flexible)]));
}

/** All that a CSE knows: a flexible container for each device model and definition of its own, too, with the kind that announces it. */
export function kindsOfCse(dialect: DialectName, own: readonly FlexDefinition[] = []): readonly ResourceType[] {
  const known = getOrInsert(withModels, dialect, () => [
    ...kindsIn(dialect),
    ...made(dialect, modelDefinitions.flatMap(flexible)),
  ]);
  return own.length === 0 ? known : [...known, ...made(dialect, own.flatMap(flexible))];
}

function made(dialect: DialectName, all: readonly ResourceTypeTable[]): readonly ResourceType[] {
  return all
    .filter(({ only }) => only === undefined || only === dialect)
    .map(({ children = [], ...table }) =>
      kindIn(dialect, { ...table, children: [...children, ...placedBelow(table)] }),
    );
}

const placedBelow = ({ ty }: Pick<ResourceTypeTable, 'ty'>) =>
  tables.filter(({ parents }) => parents?.includes(ty)).map((kind) => kind.ty);
