import { type Parts, type Place, reading } from '../../generators/wire/wire-case.ts';
import { type Expectation, either, type RobustnessSection, row } from '../robustness-case.ts';

const query = 'TS-0009, 6.2.2.2; RFC 3986, 3.4';
const asked =
  (text: string) =>
  (at: Place): Parts => ({ ...reading(at), target: `${at.application}?${text}` });
/** The value is none of its parameter. */
const invalid: Expectation = { right: [400], tolerable: ['2xx', '4xx', 501] };
const validity = 'TS-0004, 7.3.2.1; TS-0001, 8.1.2';

export const queries: RobustnessSection = {
  number: 10,
  title: 'Queries',
  cases: [
    row('10.1', 'a question mark alone', asked(''), query, either),
    row('10.2', 'question marks and ampersands', asked('?&&='), query, either),
    row('10.3', 'a parameter that nobody knows', asked('nobody=x'), query, either),
    row('10.4', 'the parameter __proto__', asked('__proto__=x'), query, either),
    row('10.5', 'the parameter constructor', asked('constructor=x&toString=y'), query, either),
    row('10.6', 'parameters in brackets', asked('a[__proto__][b]=c&d[]=e'), query, either),
    row(
      '10.7',
      'two thousand parameters',
      asked(Array.from({ length: 2000 }, (_, at) => `x${at}=1`).join('&')),
      query,
      either,
    ),
    row('10.8', 'a broken escape', asked('fu=1&lbl=%'), query, either),
    row('10.9', 'an escape that is no UTF-8', asked('fu=1&lbl=%ff'), query, either),
    row('10.10', 'an escaped zero byte', asked('fu=1&lbl=%00'), query, either),
    row('10.11', 'an escaped line end', asked('fu=1&lbl=%0d%0aX:%20y'), query, either),
    row('10.12', 'a byte over 127', asked('fu=1&lbl=\xe9'), query, either),
    row('10.13', 'a value of 6,000 characters', asked(`fu=1&lbl=${'x'.repeat(6000)}`), query, either),
    row('10.14', 'rcn that nobody knows', asked('rcn=99'), validity, invalid),
    row('10.15', 'an empty rcn', asked('rcn='), validity, invalid),
    row('10.16', 'a negative rcn', asked('rcn=-1'), validity, invalid),
    row('10.17', 'rcn of words', asked('rcn=all'), validity, invalid),
    row('10.18', 'rcn of 400 digits', asked(`rcn=${'9'.repeat(400)}`), validity, invalid),
    row('10.19', 'rcn twice', asked('rcn=1&rcn=5'), validity, invalid),
    row('10.20', 'rcn 7 of what is no announcement', asked('rcn=7'), validity, {
      ...invalid,
    }),
    row('10.21', 'fu that nobody knows', asked('fu=99'), validity, invalid),
    row('10.22', 'a negative limit', asked('fu=1&lim=-1'), validity, invalid),
    row('10.23', 'a limit beyond all numbers', asked('fu=1&lim=1e999'), validity, invalid),
    row('10.24', 'a limit of 400 digits', asked(`fu=1&lim=${'9'.repeat(400)}`), validity, either),
    row('10.25', 'an offset of words', asked('fu=1&ofst=last'), validity, invalid),
    row('10.26', 'a level below none', asked('fu=1&lvl=-5'), validity, invalid),
    row('10.27', 'a resource type of words', asked('fu=1&ty=container'), validity, invalid),
    row('10.28', 'a time that is none', asked('fu=1&cra=yesterday'), validity, invalid),
    row('10.29', 'a time that does not exist', asked('fu=1&cra=20211332T256161'), validity, invalid),
    row('10.30', 'a size of half a byte', asked('fu=1&sza=0.5'), validity, invalid),
    row('10.31', 'a label that could be an expression', asked('fu=1&lbl=(a%2B)%2B%24'), query, either),
    row(
      '10.32',
      'a hundred labels',
      asked(`fu=1&${Array.from({ length: 100 }, () => 'lbl=x').join('&')}`),
      query,
      either,
    ),
  ],
};
