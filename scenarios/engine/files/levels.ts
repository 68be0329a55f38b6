import type { Dialect } from '../grammar/dialects.ts';
import type { CheckLevel } from '../results/result.ts';
import type { Catalogue, Requirement } from './catalogue.ts';

/** Ids of what concerns the standard begin so. */
const ofTheStandard = 'std.';

/** Whether a requirement is one of those by which a CSE is judged that speaks the dialect. */
export function isOfDialect({ id, level }: Pick<Requirement, 'id' | 'level'>, dialect: Dialect): boolean {
  const home = level === 'standard' || id.startsWith(ofTheStandard) ? 'onem2m' : 'documented';
  return home === dialect;
}

/** The titles of what a CSE is judged by that speaks the dialect. */
export function specificationOf({ requirements }: Catalogue, dialect: Dialect): string {
  const own = [...requirements.values()].filter((requirement) => isOfDialect(requirement, dialect));
  return [...new Set(own.map(({ specification }) => specification))].join(', ');
}

/** How a target is spoken to, and whether what the standard demands counts in the documented dialect as well. */
export interface LevelSettings {
  readonly dialect: Dialect;
  readonly level: 'documented' | 'standard';
}

/** What a check of the requirement weighs in a run: where the requirement is a guest, it only advises. */
export function levelIn({ dialect, level }: LevelSettings, requirement: Pick<Requirement, 'id' | 'level'>): CheckLevel {
  const counts = isOfDialect(requirement, dialect) || (level === 'standard' && requirement.level === 'standard');
  return requirement.level === 'gap' || counts ? requirement.level : 'advisory';
}

/** The same by its id; one that the catalogue does not know counts. */
export function levelsOf({ requirements }: Catalogue, settings: LevelSettings): (id: string) => CheckLevel {
  return (id) => {
    const known = requirements.get(id);
    return known === undefined ? 'documented' : levelIn(settings, known);
  };
}

/** Whether a failed check of this level is a deviation that counts. */
export function isBinding(level: CheckLevel | undefined): boolean {
  return level !== 'gap' && level !== 'advisory';
}
