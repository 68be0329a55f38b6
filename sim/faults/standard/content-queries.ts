/** What discoveries by content pick. */

import type { Resource } from '../../core/resource.ts';
import type { Fault } from '../fault.ts';
import { withQuery } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { isObject, jsonIn } from '../vocabulary/representations.ts';
import { discoveringOtherwise, findingAlso, findingOnly } from '../vocabulary/standard-discoveries.ts';
import { type Exchange, insteadOfRefusing } from '../vocabulary/standard-exchanges.ts';

const queryIn = ({ about }: Exchange) => (about.discovery ? (about.query.get('cfq') ?? '') : '');

/** A condition on a member of the document itself: `$.t EQ 25`. */
const simple = /^\$\.(\w+) EQ (\S+)$/;

const withoutContent = ({ request }: Exchange) =>
  withQuery(request, (query) => {
    query.delete('cfq');
    query.delete('cfs');
  });

const isJson = ({ values }: Resource) => String(values.cnf).startsWith('application/json');

/** Whether a content instance has the member for which a simple query asks, with another value or with that one. */
function has(resource: Resource, exchange: Exchange, value: 'that value' | 'any value'): boolean {
  const [, name = '', wanted] = simple.exec(queryIn(exchange)) ?? [];
  const document = jsonIn(String(resource.values.con ?? ''));
  if (!isObject(document) || !(name in document)) return false;
  return value === 'any value' || String(document[name]) === wanted;
}

const isSimple = (exchange: Exchange) => simple.test(queryIn(exchange));

const asking = (pattern: RegExp, instead: string) =>
  discoveringOtherwise(
    (query) => pattern.test(query.get('cfq') ?? ''),
    (query) => query.set('cfq', (query.get('cfq') ?? '').replace(pattern, instead)),
  );

const isDeep = /^\$(?:\.\w+|\[\d+\]){2,} /;
const badRequest = 4000;

export const contentQueries: readonly Fault[] = [
  breaking(
    'std.filter.cfq',
    'any-value',
    'A cfq of one EQ to a member of the whole document picks all JSON that has such a member.',
    findingAlso(
      isSimple,
      withoutContent,
      (resource, exchange) => isJson(resource) && has(resource, exchange, 'any value'),
    ),
  ),
  breaking(
    'std.filter.cfq.other-content',
    'picked',
    'A cfq of one EQ to a member of the whole document also picks content that is JSON, and is not said to be.',
    findingAlso(
      isSimple,
      withoutContent,
      (resource, exchange) => !isJson(resource) && has(resource, exchange, 'that value'),
    ),
  ),
  breaking('std.filter.cfq.compared', 'less', 'GT in cfq picks what is less.', asking(/ GT /, ' LT ')),
  breaking('std.filter.cfq.and', 'or', 'AND in cfq is taken for OR.', asking(/ AND /, ' OR ')),
  breaking(
    'std.filter.cfq.quoted',
    'unquoted',
    'Quotation marks around a name in cfq are left out, so that a dot in it leads into an object.',
    asking(/\."([^"]+)"/, '.$1'),
  ),
  breaking(
    'std.filter.cfq.path',
    'not-deep',
    'A cfq finds nothing by what is deeper than the members of the whole document.',
    findingOnly(
      (exchange) => isDeep.test(queryIn(exchange)),
      () => false,
    ),
  ),
  breaking(
    'std.filter.cfq.path',
    'no-lists',
    'A number in brackets in cfq leads nowhere.',
    findingOnly(
      (exchange) => /\[\d+\]/.test(queryIn(exchange)),
      () => false,
    ),
  ),
  breaking(
    'std.filter.cfq.unreadable',
    'ignored',
    'A cfq that cannot be read is not looked at.',
    insteadOfRefusing(badRequest, (exchange) => queryIn(exchange) !== '', withoutContent),
  ),
  breaking(
    'std.filter.cfs.alone',
    'ignored',
    'A cfs without cfq is not looked at.',
    insteadOfRefusing(
      badRequest,
      ({ about }) => about.discovery && about.query.has('cfs') && !about.query.has('cfq'),
      withoutContent,
    ),
  ),
];
