import { either, nowhere, section } from './robustness-case.ts';
import { behind, below, gotAs, gotFrom, listed } from './sent.ts';

const path = 'TS-0009, 6.2.2.1; RFC 3986, 3.3';
const escaping = 'RFC 3986, 2.1; TS-0009, 6.2.2.1';
const from = (target: string) => gotAs({ target });
/** Another CSE, or none: it is not there, or cannot be reached. */
const elsewhere = '4xx | 502 503 504 501 closed';

export const addresses = section(9, 'Addresses', [
  ['a percent sign alone', below('%'), escaping, nowhere],
  ['a percent sign with one digit', below('%4'), escaping, nowhere],
  ['a percent sign with letters', below('%zz'), escaping, nowhere],
  ['the old escape %u', below('%u0041'), escaping, nowhere],
  ['an escaped zero byte', below('x%00'), escaping, nowhere],
  ['an escaped byte that is no UTF-8', below('%ff'), escaping, nowhere],
  ['an escaped overlong slash', below('%c0%af'), escaping, nowhere],
  ['an escaped surrogate', below('%ed%a0%80'), escaping, nowhere],
  ['an escaped line end with a header behind it', below('%0d%0aX:%20x'), escaping, nowhere],
  ['an escaped slash', below('x%2fy'), escaping, nowhere],
  ['an escaped percent sign', below('%2525'), escaping, nowhere],
  ['a letter outside of ASCII', below('%c3%a9'), escaping, nowhere],
  ['__proto__', below('__proto__'), path, nowhere],
  ['constructor', below('constructor'), path, nowhere],
  ['toString', below('toString'), path, nowhere],
  ['hasOwnProperty, escaped', below('%68asOwnProperty'), path, nowhere],
  ['constructor below latest', below('la/constructor'), path, nowhere],
  ['five hundred segments', below('x/'.repeat(500)), path, nowhere],
  ['a query in an escape', below('%3fx=y'), path, nowhere],
  ['markup', below('%3cscript%3e'), path, nowhere],
  ['the words of a database', below("'%20or%201=1--"), path, nowhere],
  ['the words of a template', below('$%7b7*7%7d'), path, nowhere],
  ['a name for a printer of formats', below('%25n%25s%25x'), path, nowhere],
  [
    'a letter of the name escaped',
    gotFrom((container) => container.replace(/c$/, '%63')),
    'RFC 3986, 6.2.2.2',
    '2xx | 404 400',
  ],
  ['a slash at the end', behind('/'), path, either],
  ['two slashes at the end', behind('//'), path, either],
  ['two slashes at the beginning', gotFrom((container) => `/${container}`), path, either],
  ['a dot segment', behind('/.'), 'RFC 3986, 6.2.2.3', either],
  ['two dots above everything', from('/../../../../etc/passwd'), 'RFC 3986, 6.2.2.3', nowhere],
  ['the same, escaped', from('/%2e%2e/%2e%2e/%2e%2e/etc/passwd'), 'RFC 3986, 6.2.2.3', nowhere],
  ['a parameter of a segment', behind(';x=y'), 'RFC 3986, 3.3', either],
  ['a backslash at the end', behind('\\'), path, '4xx | 2xx closed'],
  [
    'the name in capital letters',
    gotFrom((container) => container.replace(/c$/, 'C')),
    'RFC 3986, 6.2.2.1',
    '404 | 4xx',
  ],
  ['the root', from('/'), path, either],
  ['another CSE that nobody knows', from('/~/nobody/base/x'), 'TS-0004, 7.3.2.6', elsewhere],
  ['another service provider that nobody knows', from('/_/nobody.example/cse/base'), 'TS-0004, 7.3.2.6', elsewhere],
  ['a tilde alone', from('/~'), path, elsewhere],
  ['a tilde with a slash', from('/~/'), path, elsewhere],
  ['an underscore alone', from('/_'), path, elsewhere],
  ['a tilde with __proto__', from('/~/__proto__/constructor'), path, elsewhere],
  ['a tilde with two dots', from('/~/../..'), path, elsewhere],
]);

const query = 'TS-0009, 6.2.2.2; RFC 3986, 3.4';
const asked = (text: string) => gotFrom((_, { application }) => `${application}?${text}`);
/** The value is none of its parameter. */
const invalid = '400 | 2xx 4xx 501';
const validity = 'TS-0004, 7.3.2.1; TS-0001, 8.1.2';

export const queries = section(10, 'Queries', [
  ['a question mark alone', asked(''), query, either],
  ['question marks and ampersands', asked('?&&='), query, either],
  ['a parameter that nobody knows', asked('nobody=x'), query, either],
  ['the parameter __proto__', asked('__proto__=x'), query, either],
  ['the parameter constructor', asked('constructor=x&toString=y'), query, either],
  ['parameters in brackets', asked('a[__proto__][b]=c&d[]=e'), query, either],
  ['two thousand parameters', asked(listed(2000, (at) => `x${at}=1`, '&')), query, either],
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
  ['rcn 7 of what is no announcement', asked('rcn=7'), validity, invalid],
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
  ['a hundred labels', asked(`fu=1&${listed(100, () => 'lbl=x', '&')}`), query, either],
]);
