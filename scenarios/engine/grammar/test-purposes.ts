/**
 * The test purposes of the oneM2M conformance suite for a CSE (its TTCN-3 sources of releases 1 and 2), without their texts:
 * what `answers` of a requirement can name.
 */

/** Numbers below each heading; `1-5` stands for 001 to 005. */
const numbers: Readonly<Record<string, string>> = {
  'GEN/CRE': '1-2',
  'GEN/RET': '1-2',
  'GEN/UPD': '1-2',
  'GEN/DEL': '1-2',
  'REG/CRE': '1-13 16-28',
  'REG/RET': '1-10',
  'REG/UPD': '1-3',
  'REG/DEL': '1-4',
  'DMR/CRE': '1-17 20-21',
  'DMR/RET': '1-25',
  'DMR/UPD': '1-16',
  'DMR/DEL': '1-10',
  DIS: '1-9',
  'SUB/CRE': '1-5',
  'SUB/UPD': '1-9',
  'SUB/DEL': '1-3',
  'SUB/NTF': '1-3',
  'SEC/ACP': '1-12',
  'SEC/ACP/CRE': '1-4',
  'SEC/ACP/UPD': '1-2',
  GMG: '1-6',
  'GMG/CRE': '1-7',
  'GMG/RET': '1-1',
  'GMG/UPD': '1-10',
  LOC: '1-9 12-13',
  'LOC/BV': '9-9',
  ANNC: '1-1',
};

/** Such as `SUB/CRE/005`, group by group. */
export const testPurposes: ReadonlySet<string> = new Set(
  Object.entries(numbers).flatMap(([heading, ranges]) =>
    ranges.split(' ').flatMap((range) => {
      const [first = 0, last = 0] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => {
        return `${heading}/${String(first + index).padStart(3, '0')}`;
      });
    }),
  ),
);

/** `SUB` of `SUB/CRE/005`. */
export function groupOf(purpose: string): string {
  return purpose.split('/')[0] ?? '';
}
