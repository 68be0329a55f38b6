/** Where an originator is, for contexts that ask for a region (`aclr`, TS-0004 clause 6.3.5). */
import type { Resource } from '../resource.ts';

/** Latitude and longitude in degrees. */
export type Point = readonly [latitude: number, longitude: number];

const earthRadius = 6_371_000;

/** True when the point is in the circle (latitude, longitude, radius in metres), by the haversine formula. */
export function isInside(circle: readonly number[] | undefined, point: Point | undefined): boolean {
  const [latitude, longitude, radius] = circle ?? [];
  if (latitude === undefined || longitude === undefined || radius === undefined || point === undefined) return false;
  const radians = Math.PI / 180;
  const [north, east] = [(point[0] - latitude) * radians, (point[1] - longitude) * radians];
  const part =
    Math.sin(north / 2) ** 2 + Math.cos(latitude * radians) * Math.cos(point[0] * radians) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(part))) <= radius;
}

/** Latitude and longitude of an AE that says where it is: `loc` with a point, `[longitude, latitude]` as GeoJSON has it. */
export function locationOf(entity: Resource | undefined): Point | undefined {
  const { typ, crd } = (entity?.values.loc ?? {}) as { typ?: unknown; crd?: unknown };
  if (typ !== 1) return undefined;
  const [longitude, latitude] = typeof crd === 'string' ? numbersIn(crd) : Array.isArray(crd) ? crd : [];
  return typeof latitude === 'number' && typeof longitude === 'number' ? [latitude, longitude] : undefined;
}

function numbersIn(text: string): readonly unknown[] {
  return text
    .replace(/[[\]\s]/g, '')
    .split(',')
    .map((part) => (part === '' ? Number.NaN : Number(part)));
}
