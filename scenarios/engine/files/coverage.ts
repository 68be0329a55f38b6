import { getOrAdd } from '../basics/memoize.ts';
import { areaOf, areas, type Releases, testPurposes } from '../grammar/test-purposes.ts';
import type { Requirement } from './catalogue.ts';
import type { Loaded } from './load.ts';
import { requirementsOf } from './plan.ts';

/** How many there are, and how many of them a checked requirement answers. */
export interface Share {
  readonly all: number;
  readonly answered: number;
}

/** The known test purposes of an area of the conformance suite. */
export interface AreaCoverage extends Share {
  readonly area: string;
  /** By release of the suite: one purpose may be in several. */
  readonly releases: Readonly<Record<'1' | '2' | 'not known', Share>>;
  /** With the reasons why its requirements cannot be checked; none where it has none. */
  readonly missing: ReadonlyArray<{ readonly purpose: string; readonly reasons: readonly string[] }>;
}

export interface Coverage {
  readonly areas: readonly AreaCoverage[];
  /** Areas without a known purpose. */
  readonly unknown: readonly string[];
  /** Without a reason where none is stated. */
  readonly unchecked: ReadonlyArray<{ readonly id: string; readonly reason: string | undefined }>;
}

/** How far the catalogue answers the conformance suite, and which requirements neither a check nor one of `rules` covers. */
export function coverageOf(
  { scenarios, catalogue }: Loaded,
  rules: Iterable<{ readonly requirement: string }>,
  purposes: ReadonlyMap<string, Releases> = testPurposes,
): Coverage {
  const checked = new Set([...scenarios.flatMap(requirementsOf), ...[...rules].map(({ requirement }) => requirement)]);
  const requirements = [...catalogue.requirements.values()];
  const answered = new Set(requirements.filter(({ id }) => checked.has(id)).flatMap(({ answers = [] }) => answers));
  const known = new Map<string, Array<readonly [purpose: string, releases: Releases]>>();
  for (const one of purposes) getOrAdd(known, areaOf(one[0]), () => []).push(one);
  return {
    areas: [...known].map(([area, own]) => {
      const missing = own
        .filter(([purpose]) => !answered.has(purpose))
        .map(([purpose]) => ({ purpose, reasons: reasonsFor(purpose, requirements) }));
      return { area, ...sharesOf(own, answered), missing };
    }),
    unknown: areas.filter((area) => !known.has(area)),
    unchecked: requirements
      .filter(({ id }) => !checked.has(id))
      .map(({ id, untestable }) => ({ id, reason: untestable })),
  };
}

function sharesOf(own: ReadonlyArray<readonly [purpose: string, releases: Releases]>, answered: ReadonlySet<string>) {
  const shareOf = (isMeant: (releases: Releases) => boolean): Share => {
    const some = own.filter(([, releases]) => isMeant(releases));
    return { all: some.length, answered: some.filter(([purpose]) => answered.has(purpose)).length };
  };
  const releases = {
    '1': shareOf((all) => all.includes('1')),
    '2': shareOf((all) => all.includes('2')),
    'not known': shareOf((all) => all.length === 0),
  };
  return { ...shareOf(() => true), releases };
}

function reasonsFor(purpose: string, requirements: readonly Requirement[]): string[] {
  const silent = requirements.filter(({ answers = [] }) => answers.includes(purpose));
  return [...new Set(silent.flatMap(({ untestable }) => untestable ?? []))];
}
