import { type Parts, type Place, reading } from '../../generators/wire/wire-case.ts';
import {
  type Expectation,
  either,
  nowhere,
  type RobustnessCase,
  type RobustnessSection,
  row,
  served,
} from '../robustness-case.ts';

const path = 'TS-0009, 6.2.2.1; RFC 3986, 3.3';
const escaping = 'RFC 3986, 2.1; TS-0009, 6.2.2.1';
const below =
  (segment: string) =>
  (at: Place): Parts => ({ ...reading(at), target: `${at.container}/${segment}` });
const behind =
  (end: string) =>
  (at: Place): Parts => ({ ...reading(at), target: at.container + end });
const from =
  (target: string) =>
  (at: Place): Parts => ({ ...reading(at), target });
const gone = (number: string, title: string, segment: string, clause = escaping): RobustnessCase =>
  row(number, title, below(segment), clause, nowhere);
/** Another CSE, or none: it is not there, or cannot be reached. */
const elsewhere: Expectation = { right: ['4xx'], tolerable: [502, 503, 504, 501, 'closed'] };

export const addresses: RobustnessSection = {
  number: 9,
  title: 'Addresses',
  cases: [
    gone('9.1', 'a percent sign alone', '%'),
    gone('9.2', 'a percent sign with one digit', '%4'),
    gone('9.3', 'a percent sign with letters', '%zz'),
    gone('9.4', 'the old escape %u', '%u0041'),
    gone('9.5', 'an escaped zero byte', 'x%00'),
    gone('9.6', 'an escaped byte that is no UTF-8', '%ff'),
    gone('9.7', 'an escaped overlong slash', '%c0%af'),
    gone('9.8', 'an escaped surrogate', '%ed%a0%80'),
    gone('9.9', 'an escaped line end with a header behind it', '%0d%0aX:%20x'),
    gone('9.10', 'an escaped slash', 'x%2fy'),
    gone('9.11', 'an escaped percent sign', '%2525'),
    gone('9.12', 'a letter outside of ASCII', '%c3%a9'),
    gone('9.13', '__proto__', '__proto__', path),
    gone('9.14', 'constructor', 'constructor', path),
    gone('9.15', 'toString', 'toString', path),
    gone('9.16', 'hasOwnProperty, escaped', '%68asOwnProperty', path),
    gone('9.17', 'constructor below latest', 'la/constructor', path),
    gone('9.18', 'five hundred segments', 'x/'.repeat(500), path),
    gone('9.19', 'a query in an escape', '%3fx=y', path),
    gone('9.20', 'markup', '%3cscript%3e', path),
    gone('9.21', 'the words of a database', "'%20or%201=1--", path),
    gone('9.22', 'the words of a template', '$%7b7*7%7d', path),
    gone('9.23', 'a name for a printer of formats', '%25n%25s%25x', path),
    row(
      '9.24',
      'a letter of the name escaped',
      (at) => ({ ...reading(at), target: at.container.replace(/c$/, '%63') }),
      'RFC 3986, 6.2.2.2',
      { ...served, tolerable: [404, 400] },
    ),
    row('9.25', 'a slash at the end', behind('/'), path, either),
    row('9.26', 'two slashes at the end', behind('//'), path, either),
    row('9.27', 'two slashes at the beginning', (at) => ({ ...reading(at), target: `/${at.container}` }), path, either),
    row('9.28', 'a dot segment', behind('/.'), 'RFC 3986, 6.2.2.3', either),
    row('9.29', 'two dots above everything', from('/../../../../etc/passwd'), 'RFC 3986, 6.2.2.3', nowhere),
    row('9.30', 'the same, escaped', from('/%2e%2e/%2e%2e/%2e%2e/etc/passwd'), 'RFC 3986, 6.2.2.3', nowhere),
    row('9.31', 'a parameter of a segment', behind(';x=y'), 'RFC 3986, 3.3', either),
    row('9.32', 'a backslash at the end', behind('\\'), path, { right: ['4xx'], tolerable: ['2xx', 'closed'] }),
    row(
      '9.33',
      'the name in capital letters',
      (at) => ({ ...reading(at), target: at.container.replace(/c$/, 'C') }),
      'RFC 3986, 6.2.2.1',
      { right: [404], tolerable: ['4xx'] },
    ),
    row('9.34', 'the root', from('/'), path, either),
    row('9.35', 'another CSE that nobody knows', from('/~/nobody/base/x'), 'TS-0004, 7.3.2.6', elsewhere),
    row(
      '9.36',
      'another service provider that nobody knows',
      from('/_/nobody.example/cse/base'),
      'TS-0004, 7.3.2.6',
      elsewhere,
    ),
    row('9.37', 'a tilde alone', from('/~'), path, elsewhere),
    row('9.38', 'a tilde with a slash', from('/~/'), path, elsewhere),
    row('9.39', 'an underscore alone', from('/_'), path, elsewhere),
    row('9.40', 'a tilde with __proto__', from('/~/__proto__/constructor'), path, elsewhere),
    row('9.41', 'a tilde with two dots', from('/~/../..'), path, elsewhere),
  ],
};
