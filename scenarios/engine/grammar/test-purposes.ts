/**
 * The published test purposes of oneM2M's conformance suite for a CSE, without their texts: the values for `answers` of a
 * requirement. Those of releases 1 and 2 are in the suite's TTCN-3 sources of 2017; some of a later list are known from an
 * open tester only, which names no release. The list of releases 3 to 5 is not published.
 */

/** The areas of TS-0018; some have no known purpose. */
export const areas =
  '3GPP ANNC DAU DIS DMR FLXC GEN GMG ISP LOC PCH PMG PP REG RT SCA SCH SEC SEM SM SSM SSUP SUB TMG TS'.split(' ');

/** Releases of the suite; empty where unknown. */
export type Releases = readonly ('1' | '2')[];

/** Numbers below each heading, by releases; `1-5` stands for 001 to 005. */
const numbers: Readonly<Record<string, Readonly<Partial<Record<'1' | '2' | '1 2' | '', string>>>>> = {
  ANNC: { '2': '1' },
  DIS: { '1': '1-9', '': '10-11' },
  'DMR/CRE': { '1': '5-11 13-14', '2': '15-17 20-21', '1 2': '1-4 12', '': '18-19' },
  'DMR/RET': { '1': '10 12', '2': '2 4-9 11 15-25', '1 2': '1 3 13-14' },
  'DMR/UPD': { '1': '5 10-13', '1 2': '1-4 6-9 14-16', '': '19-22' },
  'DMR/DEL': { '1': '5-7 9', '2': '3-4 8 10', '1 2': '1-2', '': '11-13' },
  'GEN/CRE': { '1': '1-2' },
  'GEN/RET': { '1': '1-2' },
  'GEN/UPD': { '1': '1-2' },
  'GEN/DEL': { '1': '1-2' },
  GMG: { '1': '1-6', '': '7' },
  'GMG/CRE': { '1': '1-7' },
  'GMG/RET': { '1': '1' },
  'GMG/UPD': { '1': '1-10' },
  LOC: { '2': '1-9 12-13' },
  'LOC/BV': { '2': '9' },
  'REG/CRE': { '1': '1-11 13 16-27', '1 2': '12 28' },
  'REG/RET': { '1': '1-3 5-10', '1 2': '4' },
  'REG/UPD': { '1': '1 3', '1 2': '2' },
  'REG/DEL': { '1': '1-4' },
  'SEC/ACP': { '1': '1-12', '': '13-14' },
  'SEC/ACP/CRE': { '1': '1-4' },
  'SEC/ACP/UPD': { '1': '1-2' },
  'SUB/CRE': { '1': '1-5', '': '6-8' },
  'SUB/UPD': { '1': '1', '2': '2-9' },
  'SUB/DEL': { '1': '1', '2': '2-3' },
  'SUB/NTF': { '2': '1-3' },
};

/** Such as `SUB/CRE/005`, area by area, with its releases. */
export const testPurposes: ReadonlyMap<string, Releases> = new Map(
  Object.entries(numbers).flatMap(([heading, byRelease]) =>
    Object.entries(byRelease)
      .flatMap(([releases, ranges]) =>
        numbersIn(ranges).map((number) => {
          const id = `${heading}/${String(number).padStart(3, '0')}`;
          return [id, releases.split(' ').filter(isRelease)] as const;
        }),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
);

function numbersIn(ranges: string): number[] {
  return ranges.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function isRelease(text: string): text is Releases[number] {
  return text === '1' || text === '2';
}

/** `SUB` of `SUB/CRE/005`. */
export function areaOf(purpose: string): string {
  return purpose.split('/')[0] ?? '';
}
