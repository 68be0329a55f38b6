/** What the standard says of retrieving, broken. */

import { BAD_REQUEST, NOT_FOUND, OPERATION_NOT_ALLOWED } from '../../core/status.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, resourceAt } from '../vocabulary/asked.ts';
import { handling, withQuery } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { codeOf, withBody, withoutHeaders } from '../vocabulary/changed-answers.ts';
import { isObject } from '../vocabulary/representations.ts';
import {
  amending,
  answering,
  asIf,
  codingAs,
  failure,
  refusingThose,
  rewriting,
  rooting,
  showingAs,
  withoutCriteria,
} from '../vocabulary/standard-changes.ts';
import { all, asks, Exchange, reads, readsWhole, type Which } from '../vocabulary/standard-wanted.ts';

const groupWith = (rcn: string) => all(reads('m2m:grp'), asks('rcn', rcn));
const subscriptionWith = (rcn: string) => all(reads('m2m:sub'), asks('rcn', rcn));
const containerWith = (rcn: string) => all(reads('m2m:cnt'), asks('rcn', rcn));
const limited = all(reads(), asks('lim'));

const nothingThere: Which = ({ target }) => target === undefined;
const byIdentifierAlone: Which = ({ path, core }) => /^\/[^/]+$/.test(path) && path !== `/${core.configuration.base}`;

const children = /^\w+:\w+$/;
const listsIn = (attributes: Attributes) => Object.entries(attributes).filter(([name]) => children.test(name));

/** The children of what is shown lack what stands below them. */
function withoutGrandchildren(attributes: Attributes): void {
  for (const [, list] of listsIn(attributes)) {
    for (const child of Array.isArray(list) ? list : []) {
      for (const [name] of isObject(child) ? listsIn(child) : []) delete child[name];
    }
  }
}

function referring(which: Which, change: (references: Attributes[], core: Exchange['core']) => Attributes[]): Wrap {
  return amending(which, (attributes, { core }) => {
    if (Array.isArray(attributes.ch)) attributes.ch = change(attributes.ch, core);
  });
}

/** All that there is, said to be a part. */
const unlimited: Wrap = handling(async (request, service, core) => {
  const answer = await service.handle(request);
  if (!limited(new Exchange(request, core)) || codeOf(answer) !== 2000) return answer;
  const { body } = await service.handle(withQuery(request, (query) => query.delete('lim')));
  return { ...answer, body };
});

const withoutHeader = (name: string) => answering(limited, (answer: HttpResponse) => withoutHeaders(answer, name));

const idAt = (address: string, core: Exchange['core']) => resourceAt(address, core)?.id;

export const retrieval: readonly Fault[] = [
  breaking(
    'std.retrieve.not-found',
    'bad-request',
    'An identifier that nothing has is refused with 4000 where it is read.',
    codingAs(all(reads(), byIdentifierAlone), NOT_FOUND, BAD_REQUEST),
  ),
  breaking(
    'std.retrieve.not-found',
    'fails',
    'Reading what is not there by a path that ends with nowhere is answered with 5000.',
    codingAs(
      all(reads(), nothingThere, ({ path }) => path.endsWith('/nowhere')),
      NOT_FOUND,
      failure,
    ),
  ),
  breaking(
    'std.retrieve.rcn.default',
    'children',
    'A container that has containers below it is read with them where rcn is not given.',
    asIf(
      all(readsWhole('m2m:cnt'), ({ target }) =>
        [...(target?.children?.values() ?? [])].some(({ type }) => type.root === 'm2m:cnt'),
      ),
      'rcn',
      '4',
    ),
  ),
  ...['0', '2', '3', '7', '9'].map((rcn) =>
    breaking(
      'std.retrieve.rcn.refused',
      `not-looked-at-${rcn}`,
      `A container that is read with rcn ${rcn} answers its attributes.`,
      asIf(containerWith(rcn), 'rcn', '1'),
    ),
  ),
  breaking(
    'std.retrieve.rcn.unknown',
    'not-looked-at',
    'A container that is read with rcn 99 answers its attributes.',
    asIf(containerWith('99'), 'rcn', '1'),
  ),
  breaking(
    'std.retrieve.rcn.1',
    'long-root',
    'A group that is read with rcn 1 is answered below the root m2m:group.',
    rooting(groupWith('1'), 'm2m:group'),
  ),
  breaking(
    'std.retrieve.rcn.1.nothing-else',
    'children',
    'A group that is read with rcn 1 answers its children as well.',
    asIf(groupWith('1'), 'rcn', '4'),
  ),
  breaking(
    'std.retrieve.rcn.4',
    'children-only',
    'A group that is read with rcn 4 answers its children alone.',
    asIf(groupWith('4'), 'rcn', '8'),
  ),
  breaking(
    'std.retrieve.rcn.4.children',
    'attributes-only',
    'A group that is read with rcn 4 answers its attributes alone.',
    asIf(groupWith('4'), 'rcn', '1'),
  ),
  breaking(
    'std.retrieve.rcn.4.children',
    'first',
    'A container that is read with rcn 4 answers the first of its content instances alone.',
    amending(containerWith('4'), (attributes) => {
      if (Array.isArray(attributes['m2m:cin'])) attributes['m2m:cin'] = attributes['m2m:cin'].slice(0, 1);
    }),
  ),
  breaking(
    'std.retrieve.rcn.4.children',
    'last-again',
    'A container that is read with rcn 4 answers the last of its content instances in place of the first.',
    amending(containerWith('4'), (attributes) => {
      const instances = attributes['m2m:cin'];
      if (Array.isArray(instances)) attributes['m2m:cin'] = [...instances.slice(1), ...instances.slice(-1)];
    }),
  ),
  breaking(
    'std.retrieve.rcn.5',
    'nameless',
    'A group that is read with rcn 5 does not answer its name.',
    showingAs(groupWith('5'), 'rn', () => undefined),
  ),
  breaking(
    'std.retrieve.rcn.5.children',
    'attributes-only',
    'A group that is read with rcn 5 answers its attributes alone.',
    asIf(groupWith('5'), 'rcn', '1'),
  ),
  breaking(
    'std.retrieve.rcn.6',
    'refused',
    'A subscription that is read with rcn 6 is refused with 4000.',
    refusingThose(subscriptionWith('6'), BAD_REQUEST),
  ),
  breaking(
    'std.retrieve.rcn.6.children',
    'none',
    'A group that is read with rcn 6 answers no address.',
    answering(groupWith('6'), (answer) => withBody(answer, { 'm2m:rrl': { rrf: [] } })),
  ),
  breaking(
    'std.retrieve.rcn.8',
    'not-found',
    'A subscription that is read with rcn 8 is not found.',
    refusingThose(subscriptionWith('8'), NOT_FOUND),
  ),
  breaking(
    'std.retrieve.rcn.8.children',
    'none',
    'A group that is read with rcn 8 answers no children.',
    answering(groupWith('8'), (answer) => withBody(answer, { 'm2m:grp': {} })),
  ),
  breaking(
    'std.retrieve.rcn.8.nothing-else',
    'attributes',
    'A group that is read with rcn 8 answers its attributes as well.',
    asIf(groupWith('8'), 'rcn', '4'),
  ),
  breaking(
    'std.retrieve.rcn.4.descendants',
    'children-only',
    'What stands below the children of a container is not answered with rcn 4.',
    amending(containerWith('4'), withoutGrandchildren),
  ),
  breaking(
    'std.retrieve.references.descendants',
    'children-twice',
    'With rcn 5 a container refers to each of its children twice, and to nothing below them.',
    referring(containerWith('5'), (list) =>
      list
        .filter(({ val }) => list.every((other) => !String(val).startsWith(`${other.val}/`)))
        .flatMap((one) => [one, one]),
    ),
  ),
  breaking(
    'std.retrieve.references.structured',
    'identifiers',
    'With rcn 5 a container refers to what stands below it by identifiers.',
    referring(containerWith('5'), (list, core) => list.map((one) => ({ ...one, val: idAt(String(one.val), core) }))),
  ),
  breaking(
    'std.retrieve.rcn.12',
    'not-allowed',
    'A container that is read with rcn 12 is refused with 4005.',
    refusingThose(containerWith('12'), OPERATION_NOT_ALLOWED),
  ),
  breaking(
    'std.retrieve.rcn.12',
    'fails',
    'A container that is read with rcn 12 is answered with 5000.',
    refusingThose(containerWith('12'), failure),
  ),
  breaking(
    'std.retrieve.filter.children',
    'all',
    'With rcn 4 a filter on ty picks nothing: all children of a container are answered.',
    asIf(containerWith('4'), 'ty'),
  ),
  breaking(
    'std.retrieve.filter.limit',
    'all',
    'With lim all children are answered, and the answer says that it is partial.',
    unlimited,
  ),
  breaking(
    'std.retrieve.partial',
    'not-said',
    'An answer from which children were left out does not say that it is partial, but where the rest begins.',
    withoutHeader('X-M2M-CTS'),
  ),
  breaking(
    'std.retrieve.partial.offset',
    'not-said',
    'An answer from which children were left out does not say where the rest begins.',
    withoutHeader('X-M2M-CTO'),
  ),
  breaking(
    'std.retrieve.conditional.met',
    'not-found',
    'With fu 2 nothing is found, whatever the criteria.',
    refusingThose(all(reads(), asks('fu', '2')), NOT_FOUND),
  ),
  breaking(
    'std.retrieve.conditional.not-met',
    'served',
    'With fu 2 a retrieve is served whatever the criteria.',
    rewriting(all(reads(), asks('fu', '2')), ({ request }) => withoutCriteria(request)),
  ),
  breaking(
    'std.retrieve.conditional.unknown',
    'served',
    'A retrieve with fu 99 is served as one without.',
    asIf(asks('fu', '99'), 'fu'),
  ),
  breaking(
    'std.retrieve.conditional.unknown',
    'not-found',
    'A retrieve with fu 99 finds nothing.',
    refusingThose(asks('fu', '99'), NOT_FOUND),
  ),
];
