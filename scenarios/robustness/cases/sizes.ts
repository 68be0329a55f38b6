import { creating, type Parts, type Place, soundBody, withLine } from '../../generators/wire/wire-case.ts';
import { type Expectation, section } from '../robustness-case.ts';
import { isPost, posted, unmeasured } from './sent.ts';

const size = 'RFC 9110, 15.5.14; TS-0004, 7.4.7';
const limit: Expectation = { right: [201, 413], tolerable: ['4xx', 503, 507, 'closed'] };
const sized = (attributes: string) => posted(`{"m2m:cin":{"cnf":"text/plain:0",${attributes}}}`);
/** With a body that does not come. */
const announced =
  (length: string) =>
  (at: Place): Parts =>
    withLine(creating(at, ''), `Content-Length: ${length}`);

export const sizes = section(12, 'Sizes', [
  ['content of nothing', sized('"con":""'), size, '201 | 4xx'],
  ['content of 60,000 characters', sized(`"con":"${'x'.repeat(60_000)}"`), size, limit],
  ['content of 900,000 characters', sized(`"con":"${'x'.repeat(900_000)}"`), size, limit],
  ['content of 3,000,000 characters', sized(`"con":"${'x'.repeat(3_000_000)}"`), size, limit],
  ['a name of 3,000 characters', sized(`"con":"a","rn":"${'x'.repeat(3000)}"`), size, limit],
  [
    'ten thousand labels',
    sized(`"con":"a","lbl":[${Array.from({ length: 10_000 }, (_, at) => `"${at}"`).join()}]`),
    size,
    limit,
  ],
  [
    'ten thousand attributes that nobody knows',
    sized(`"con":"a",${Array.from({ length: 10_000 }, (_, at) => `"x${at}":1`).join()}`),
    size,
    '4xx | 201 closed',
  ],
  [
    'keys that are made to collide',
    sized(
      `"con":"a",${Array.from({ length: 5000 }, (_, at) => `"${at.toString(2).padStart(13, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB')}":1`).join()}`,
    ),
    size,
    '4xx | 201 closed',
  ],
  ['white space of 500,000 characters', posted(`${' '.repeat(500_000)}${soundBody}`), 'RFC 8259, 2 and 9', limit],
  [
    'a body of ten gigabytes that is only announced',
    announced('10737418240'),
    size,
    '413 silence closed 408 | 4xx',
    isPost,
  ],
  ['a length of 2^63', announced('9223372036854775808'), size, '413 400 silence closed 408 | 4xx', isPost],
  [
    'a length of 2^32 above a body',
    unmeasured('Content-Length: 4294967340'),
    'RFC 9112, 6.3',
    '413 silence closed 408 | 4xx',
    isPost,
  ],
]);
