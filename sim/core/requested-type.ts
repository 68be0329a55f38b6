/** The resource types of a CSE, which one a create requests, and the refusal of an unknown one. */

import type { CseConfiguration } from './configuration.ts';
import { getOrInsert } from './memoize.ts';
import { flexContainerInstanceType, flexContainerType } from './numbers.ts';
import type { RequestPrimitive } from './primitive.ts';
import type { ResourceType } from './resource-type.ts';
import { CseError } from './status.ts';

type ResourceTypes = CseConfiguration['types'];

interface TypeTable {
  readonly byRoot: ReadonlyMap<string, ResourceType>;
  /** The numbers that the CSE base lists (`srt`), in ascending order. */
  readonly listed: readonly number[];
  /** Names of the attributes of all types. */
  readonly attributes: ReadonlySet<string>;
}

const tables = new WeakMap<ResourceTypes, TypeTable>();

/** Lookups over all resource types, made once for all CSEs with the same list. */
export function typeTableOf(types: ResourceTypes): TypeTable {
  return getOrInsert(tables, types, () => ({
    byRoot: new Map(types.map((type) => [type.root, type])),
    listed: [...new Set(types.filter(({ unlisted }) => !unlisted).map(({ ty }) => ty))].sort((a, b) => a - b),
    attributes: new Set(types.flatMap(({ attributes }) => Object.keys(attributes))),
  }));
}

/** If known: by root key, or by number where the two contradict or the root key is unknown. */
export function requestedType(
  { content, resourceType }: RequestPrimitive,
  { types }: CseConfiguration,
): ResourceType | undefined {
  const [root = ''] = Object.keys((content ?? {}) as object);
  const byRoot = typeTableOf(types).byRoot.get(root);
  if (resourceType === undefined || byRoot?.ty === resourceType) return byRoot;
  return types.find(({ ty }) => ty === resourceType);
}

/** The type with this root key. Throws a CseError for an unknown one; `ty` is the number in the request. */
export function typeByRoot(root: string, configuration: CseConfiguration, ty?: number): ResourceType {
  const type = typeTableOf(configuration.types).byRoot.get(root);
  if (type !== undefined) return type;
  throw unknownType(root, ty, configuration);
}

function unknownType(root: string, ty: number | undefined, { dialect, types }: CseConfiguration): CseError {
  if (ty === flexContainerType) {
    return new CseError('SPECIALIZATION_SCHEMA_NOT_FOUND', `No definition is known for ${JSON.stringify(root)}.`);
  }
  if (dialect.name === 'onem2m' && isOfStandard(ty) && !types.some((type) => type.ty === ty)) {
    return new CseError('NOT_IMPLEMENTED', `Resource type ${ty} is not implemented here.`);
  }
  return new CseError('BAD_REQUEST', `${JSON.stringify(root)} is not the root key of a known resource type.`);
}

/** TS-0004, clause 6.3.4.2.1: numbers of resource types, from 10001 on of announced ones. */
export function isOfStandard(ty = 0): boolean {
  return ty % 10_000 > 0 && ty % 10_000 < 100 && ty < 20_000;
}

/** Throws where the number in the Content-Type contradicts the root key. */
export function checkResourceType({ resourceType }: RequestPrimitive, type: ResourceType): void {
  if (resourceType === undefined || resourceType === type.ty) return;
  if (resourceType === flexContainerInstanceType && type.ty === flexContainerType) {
    throw new CseError('OPERATION_NOT_ALLOWED', 'Only the CSE creates instances of a flexible container.');
  }
  throw new CseError(
    'BAD_REQUEST',
    `ty=${resourceType} in the Content-Type contradicts the root key ${type.root} (${type.ty}).`,
  );
}
