import type { Dialect } from '../grammar/dialects.ts';
import type { CheckLevel } from '../results/result.ts';
import type { Catalogue, Requirement } from './catalogue.ts';

/** Ids of what concerns the standard begin so. */
const ofTheStandard = 'std.';

/** Whether a requirement is one of those by which a CSE is judged that speaks the dialect. */
export function isAtHome({ id, level }: Pick<Requirement, 'id' | 'level'>, dialect: Dialect): boolean {
  const home = level === 'standard' || id.startsWith(ofTheStandard) ? 'onem2m' : 'documented';
  return home === dialect;
}

/** The titles of what a CSE is judged by that speaks the dialect. */
export function specificationOf({ requirements }: Catalogue, dialect: Dialect): string {
  const own = [...requirements.values()].filter((requirement) => isAtHome(requirement, dialect));
  return [...new Set(own.map(({ specification }) => specification))].join(', ');
}

/** How a target is spoken to, and whether what the standard demands counts in the documented dialect as well. */
export interface Scale {
  readonly dialect: Dialect;
  readonly level: 'documented' | 'standard';
}

/** What a check of the requirement weighs in a run: where the requirement is a guest, it only advises. */
export function levelIn({ dialect, level }: Scale, requirement: Pick<Requirement, 'id' | 'level'>): CheckLevel {
  const counts = isAtHome(requirement, dialect) || (level === 'standard' && requirement.level === 'standard');
  return requirement.level === 'gap' || counts ? requirement.level : 'advisory';
}

/** The same by its id; one that the catalogue does not know counts. */
export function levelsOf({ requirements }: Catalogue, scale: Scale): (id: string) => CheckLevel {
  return (id) => {
    const known = requirements.get(id);
    return known === undefined ? 'documented' : levelIn(scale, known);
  };
}

/** Whether a failed check of this level is a deviation that counts. */
export function isBinding(level: CheckLevel | undefined): boolean {
  return level !== 'gap' && level !== 'advisory';
}
