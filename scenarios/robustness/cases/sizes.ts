import { creating, type Parts, type Place, withLength, withLine } from '../../generators/wire/wire-case.ts';
import { type Expectation, type RobustnessSection, row } from '../robustness-case.ts';

const size = 'RFC 9110, 15.5.14; TS-0004, 7.4.7';
const limit: Expectation = { right: [201, 413], tolerable: ['4xx', 503, 507, 'closed'] };
const sized =
  (attributes: string) =>
  (at: Place): Parts =>
    withLength(creating(at, `{"m2m:cin":{"cnf":"text/plain:0",${attributes}}}`));
const announced =
  (length: string) =>
  (at: Place): Parts =>
    withLine(creating(at, ''), `Content-Length: ${length}`);

export const sizes: RobustnessSection = {
  number: 12,
  title: 'Sizes',
  cases: [
    row('12.1', 'content of nothing', sized('"con":""'), size, { right: [201], tolerable: ['4xx'] }),
    row('12.2', 'content of 60,000 characters', sized(`"con":"${'x'.repeat(60_000)}"`), size, limit),
    row('12.3', 'content of 900,000 characters', sized(`"con":"${'x'.repeat(900_000)}"`), size, limit),
    row('12.4', 'content of 3,000,000 characters', sized(`"con":"${'x'.repeat(3_000_000)}"`), size, limit),
    row('12.5', 'a name of 3,000 characters', sized(`"con":"a","rn":"${'x'.repeat(3000)}"`), size, limit),
    row(
      '12.6',
      'ten thousand labels',
      sized(`"con":"a","lbl":[${Array.from({ length: 10_000 }, (_, at) => `"${at}"`).join()}]`),
      size,
      limit,
    ),
    row(
      '12.7',
      'ten thousand attributes that nobody knows',
      sized(`"con":"a",${Array.from({ length: 10_000 }, (_, at) => `"x${at}":1`).join()}`),
      size,
      { right: ['4xx'], tolerable: [201, 'closed'] },
    ),
    row(
      '12.8',
      'keys that are made to collide',
      sized(
        `"con":"a",${Array.from({ length: 5000 }, (_, at) => `"${at.toString(2).padStart(13, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB')}":1`).join()}`,
      ),
      size,
      { right: ['4xx'], tolerable: [201, 'closed'] },
    ),
    row(
      '12.9',
      'white space of 500,000 characters',
      (at) => withLength(creating(at, `${' '.repeat(500_000)}{"m2m:cin":{"con":"a","cnf":"text/plain:0"}}`)),
      'RFC 8259, 2 and 9',
      limit,
    ),
    row('12.10', 'a body of ten gigabytes that is only announced', announced('10737418240'), size, {
      right: [413, 'silence', 'closed', 408],
      tolerable: ['4xx'],
      methods: ['POST'],
    }),
    row('12.11', 'a length of 2^63', announced('9223372036854775808'), size, {
      right: [413, 400, 'silence', 'closed', 408],
      tolerable: ['4xx'],
      methods: ['POST'],
    }),
    row(
      '12.12',
      'a length of 2^32 above a body',
      (at) => withLine(creating(at), 'Content-Length: 4294967340'),
      'RFC 9112, 6.3',
      { right: [413, 'silence', 'closed', 408], tolerable: ['4xx'], methods: ['POST'] },
    ),
  ],
};
