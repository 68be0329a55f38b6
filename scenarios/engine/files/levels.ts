import type { Dialect } from '../grammar/dialects.ts';
import type { CheckLevel } from '../results/result.ts';
import type { Catalogue, Requirement } from './catalogue.ts';

/** Prefix of the ids that concern the standard. */
const ofTheStandard = 'std.';

/** Whether a CSE of the dialect is checked by the requirement. */
export function isOfDialect({ id, level }: Pick<Requirement, 'id' | 'level'>, dialect: Dialect): boolean {
  const home = level === 'standard' || id.startsWith(ofTheStandard) ? 'onem2m' : 'documented';
  return home === dialect;
}

/** Titles of the documents that a CSE of the dialect is checked by. */
export function specificationOf({ requirements }: Catalogue, dialect: Dialect): string {
  const own = [...requirements.values()].filter((requirement) => isOfDialect(requirement, dialect));
  return [...new Set(own.map(({ specification }) => specification))].join(', ');
}

/** The dialect of a run, and whether requirements of the standard count in the documented dialect, too. */
export interface LevelSettings {
  readonly dialect: Dialect;
  readonly level: 'documented' | 'standard';
}

/** The level of a check in a run: requirements of the other dialect only advise. */
export function levelIn({ dialect, level }: LevelSettings, requirement: Pick<Requirement, 'id' | 'level'>): CheckLevel {
  const counts = isOfDialect(requirement, dialect) || (level === 'standard' && requirement.level === 'standard');
  return requirement.level === 'gap' || counts ? requirement.level : 'advisory';
}

/** The same by id; a requirement that the catalogue does not know counts. */
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
