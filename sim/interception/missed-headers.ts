/** Headers of oneM2M that are missing or misspelled. */
import type { DialectName } from '../core/resource-type.ts';
import { nearest } from '../deviations/nearest.ts';
import type { Finding } from './near-miss.ts';

/** TS-0009, clause 6.4. */
const known = [
  ...['X-M2M-Origin', 'X-M2M-RI', 'X-M2M-RVI', 'X-M2M-RTU', 'X-M2M-OT', 'X-M2M-RET', 'X-M2M-RST', 'X-M2M-OET'],
  ...['X-M2M-EC', 'X-M2M-RSC', 'X-M2M-GID', 'X-M2M-CTS', 'X-M2M-CTO', 'X-M2M-RTV', 'X-M2M-ATI', 'X-M2M-VSI'],
  ...[
    'X-M2M-AUS',
    'X-M2M-ASI',
    'X-M2M-AuthSig',
    'X-M2M-GTM',
    'X-M2M-OMR',
    'X-M2M-PRPI',
    'X-M2M-MSU',
    'X-M2M-ASRI',
    'X-M2M-NM',
  ],
];
const inLowerCase = new Set(known.map((name) => name.toLowerCase()));
const likeOneM2m = /^x?-?m2m/;

/** What every request carries in the standard's own binding (TS-0009, clause 6.4); an AE may register without the first. */
const needed: Readonly<Record<DialectName, readonly string[]>> = {
  documented: [],
  onem2m: ['X-M2M-Origin', 'X-M2M-RI', 'X-M2M-RVI'],
};

/** Of a request and whether it was refused as malformed. A misspelled header is told in any case, because nobody else does. */
export function missedHeaders(headers: Headers, dialect: DialectName, refused: boolean): Finding | undefined {
  const odd = [...headers.keys()].find((name) => likeOneM2m.test(name) && !inLowerCase.has(name));
  if (odd !== undefined) {
    return {
      kind: 'headers',
      says: `${odd} is no header that the CSE knows; the nearest is ${nearest(odd, [...inLowerCase])}.`,
    };
  }
  const missing = needed[dialect].filter((name) => !headers.has(name));
  if (!refused || missing.length === 0) return undefined;
  const what = missing.length === 1 ? 'It has no' : 'It has none of';
  return {
    kind: 'headers',
    says: `${what} ${missing.join(', ')}; requests in the onem2m dialect carry ${needed.onem2m.join(', ')}.`,
  };
}
