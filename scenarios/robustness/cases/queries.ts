import { type Expectation, either, section } from '../robustness-case.ts';
import { gotFrom } from './sent.ts';

const query = 'TS-0009, 6.2.2.2; RFC 3986, 3.4';
const asked = (text: string) => gotFrom((_, { application }) => `${application}?${text}`);
/** The value is none of its parameter. */
const invalid: Expectation = { right: [400], tolerable: ['2xx', '4xx', 501] };
const validity = 'TS-0004, 7.3.2.1; TS-0001, 8.1.2';

export const queries = section(10, 'Queries', [
  ['a question mark alone', asked(''), query, either],
  ['question marks and ampersands', asked('?&&='), query, either],
  ['a parameter that nobody knows', asked('nobody=x'), query, either],
  ['the parameter __proto__', asked('__proto__=x'), query, either],
  ['the parameter constructor', asked('constructor=x&toString=y'), query, either],
  ['parameters in brackets', asked('a[__proto__][b]=c&d[]=e'), query, either],
  ['two thousand parameters', asked(Array.from({ length: 2000 }, (_, at) => `x${at}=1`).join('&')), query, either],
  ['a broken escape', asked('fu=1&lbl=%'), query, either],
  ['an escape that is no UTF-8', asked('fu=1&lbl=%ff'), query, either],
  ['an escaped zero byte', asked('fu=1&lbl=%00'), query, either],
  ['an escaped line end', asked('fu=1&lbl=%0d%0aX:%20y'), query, either],
  ['a byte over 127', asked('fu=1&lbl=\xe9'), query, either],
  ['a value of 6,000 characters', asked(`fu=1&lbl=${'x'.repeat(6000)}`), query, either],
  ['rcn that nobody knows', asked('rcn=99'), validity, invalid],
  ['an empty rcn', asked('rcn='), validity, invalid],
  ['a negative rcn', asked('rcn=-1'), validity, invalid],
  ['rcn of words', asked('rcn=all'), validity, invalid],
  ['rcn of 400 digits', asked(`rcn=${'9'.repeat(400)}`), validity, invalid],
  ['rcn twice', asked('rcn=1&rcn=5'), validity, invalid],
  ['rcn 7 of what is no announcement', asked('rcn=7'), validity, { ...invalid }],
  ['fu that nobody knows', asked('fu=99'), validity, invalid],
  ['a negative limit', asked('fu=1&lim=-1'), validity, invalid],
  ['a limit beyond all numbers', asked('fu=1&lim=1e999'), validity, invalid],
  ['a limit of 400 digits', asked(`fu=1&lim=${'9'.repeat(400)}`), validity, either],
  ['an offset of words', asked('fu=1&ofst=last'), validity, invalid],
  ['a level below none', asked('fu=1&lvl=-5'), validity, invalid],
  ['a resource type of words', asked('fu=1&ty=container'), validity, invalid],
  ['a time that is none', asked('fu=1&cra=yesterday'), validity, invalid],
  ['a time that does not exist', asked('fu=1&cra=20211332T256161'), validity, invalid],
  ['a size of half a byte', asked('fu=1&sza=0.5'), validity, invalid],
  ['a label that could be an expression', asked('fu=1&lbl=(a%2B)%2B%24'), query, either],
  ['a hundred labels', asked(`fu=1&${Array.from({ length: 100 }, () => 'lbl=x').join('&')}`), query, either],
]);
