/** What filter criteria pick (TS-0004 7.3.3.17), as far as the model can tell: `undefined` where it cannot. */
import { parseTimestamp } from '../../../engine/judging/timestamp.ts';
import { contentOf, type Kind, kindFacts, labelsOf, type Resource } from '../../model/resource.ts';

export interface Criteria {
  readonly lbl: readonly string[];
  readonly kinds: readonly Kind[];
  /** Timestamps. */
  readonly cra?: string | undefined;
  readonly crb?: string | undefined;
  /** Bytes of content: at least, or fewer. */
  readonly sza?: number | undefined;
  readonly szb?: number | undefined;
  /** fo 2: one of them is enough. */
  readonly any: boolean;
}

export function picks(resource: Resource, criteria: Criteria): boolean | undefined {
  const met = conditions(resource, criteria);
  if (met.length === 0) return true;
  const deciding = criteria.any;
  if (met.includes(deciding)) return deciding;
  return met.includes(undefined) ? undefined : !deciding;
}

function conditions(resource: Resource, { lbl, kinds, cra, crb, sza, szb }: Criteria): Array<boolean | undefined> {
  const { kind } = resource;
  const labels = labelsOf(resource);
  const size = kind === 'content instance' ? Buffer.byteLength(contentOf(resource)) : undefined;
  return [
    ...(lbl.length === 0 ? [] : [lbl.some((one) => labels?.includes(one) === true)]),
    ...(kinds.length === 0 ? [] : [kinds.includes(kind)]),
    ...(cra === undefined ? [] : [created(resource, cra, 'after')]),
    ...(crb === undefined ? [] : [created(resource, crb, 'before')]),
    ...(sza === undefined ? [] : [size === undefined ? undefined : size >= sza]),
    ...(szb === undefined ? [] : [size === undefined ? undefined : size < szb]),
  ];
}

/** A CSE may know the time more precisely than it tells it, unless it tells fractions of a second. */
function created({ shown: { ct = '' } }: Resource, bound: string, side: 'after' | 'before'): boolean | undefined {
  const [at, limit] = [parseTimestamp(ct), parseTimestamp(bound)];
  if (at === undefined || limit === undefined) return undefined;
  if (at === limit) return ct.includes(',') ? false : undefined;
  return side === 'after' ? at > limit : at < limit;
}

/** The query of a discovery by these criteria. */
export function queryOf({
  lbl,
  kinds,
  cra,
  crb,
  sza,
  szb,
  any,
}: Criteria): Record<string, string | number | Array<string | number>> {
  const several = <T extends string | number>(values: readonly T[]): T | T[] => {
    const [one] = values;
    return values.length === 1 && one !== undefined ? one : [...values];
  };
  return {
    ...(lbl.length > 0 && { lbl: several(lbl) }),
    ...(kinds.length > 0 && { ty: several(kinds.map((kind) => kindFacts[kind].ty)) }),
    ...(cra !== undefined && { cra }),
    ...(crb !== undefined && { crb }),
    ...(sza !== undefined && { sza }),
    ...(szb !== undefined && { szb }),
    ...(any && { fo: 2 }),
  };
}

/** The requirement that speaks of just this selection. */
export function requirementOf({ lbl, kinds, cra, crb, sza, szb, any }: Criteria): string {
  const asked = [
    ...(lbl.length === 0 ? [] : [lbl.length === 1 ? 'std.discovery.label' : 'std.filter.lbl.several']),
    ...(kinds.length === 0 ? [] : [kinds.length === 1 ? 'std.filter.ty' : 'std.filter.ty.several']),
    ...(cra === undefined ? [] : ['std.filter.cra']),
    ...(crb === undefined ? [] : ['std.filter.crb']),
    ...(sza === undefined ? [] : ['std.filter.sza']),
    ...(szb === undefined ? [] : ['std.filter.szb']),
  ];
  return together(asked, any);
}

function together(asked: readonly string[], any: boolean): string {
  const [one = 'std.discovery.all', second, third] = asked;
  if (second === undefined) return one;
  if (any) return 'std.filter.or';
  // Sizes are always asked of content instances.
  return third === undefined && second.startsWith('std.filter.sz') ? second : 'std.filter.and';
}
