import { type Expectation, either, nowhere, section, served } from '../robustness-case.ts';
import { gotAs, gotFrom } from './sent.ts';

const path = 'TS-0009, 6.2.2.1; RFC 3986, 3.3';
const escaping = 'RFC 3986, 2.1; TS-0009, 6.2.2.1';
const below = (segment: string) => gotFrom((container) => `${container}/${segment}`);
const behind = (end: string) => gotFrom((container) => container + end);
const from = (target: string) => gotAs({ target });
/** Another CSE, or none: it is not there, or cannot be reached. */
const elsewhere: Expectation = { right: ['4xx'], tolerable: [502, 503, 504, 501, 'closed'] };

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
    { ...served, tolerable: [404, 400] },
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
