/** A place (m2m:geoCoordinates, TS-0004 release 4): the kind of its geometry, and its coordinates: a JSON list, or the text of one. */
import type { ObjectType, Value } from '../core/attribute-types.ts';

/** How deep the lists of coordinates can be, by m2m:geometryType; a single polygon is written with and without a list of its rings. */
const depths: readonly (readonly number[])[] = [[], [1], [2], [2, 3], [2], [3], [3, 4]];

export const geoCoordinates: ObjectType = {
  members: {
    typ: { type: { oneOf: [1, 2, 3, 4, 5, 6] }, long: 'type', mandatory: true },
    crd: { type: 'any', long: 'coordinates', mandatory: true },
  },
  check: ({ typ, crd }) => problemOf(depths[Number(typ)] ?? [], crd),
};

function problemOf(allowed: readonly number[], crd: Value | undefined): string | undefined {
  const depth = depthOf(typeof crd === 'string' ? parsed(crd) : crd);
  if (depth === undefined) return 'crd must be a JSON list of coordinates or the text of one, such as "[13.4, 52.5]"';
  return allowed.includes(depth) ? undefined : `crd is ${depth} lists deep, and typ asks for ${allowed.join(' or ')}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 1 for a position of two or three numbers, and one more for each list around it; undefined for what is no such thing. */
function depthOf(value: unknown, most = 4): number | undefined {
  if (!Array.isArray(value) || value.length === 0 || most === 0) return undefined;
  if (value.every((one) => typeof one === 'number')) return value.length === 2 || value.length === 3 ? 1 : undefined;
  const [first, ...others] = value.map((one) => depthOf(one, most - 1));
  return first !== undefined && others.every((one) => one === first) ? first + 1 : undefined;
}
