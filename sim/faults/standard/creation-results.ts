/** What the standard says of the answer to a create, and of content that cannot be read, broken. */

import { BAD_REQUEST, CREATED } from '../../core/status.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, resourceAt } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { jsonBytes } from '../vocabulary/bytes.ts';
import { withBody } from '../vocabulary/changed-answers.ts';
import { isObject, jsonIn } from '../vocabulary/representations.ts';
import { answering, asIf, codingAs, failure, lacking, pretending, rewriting } from '../vocabulary/standard-changes.ts';
import { all, asks, creates, gives, type Which } from '../vocabulary/standard-wanted.ts';

const groupWith = (rcn: string) => all(creates('m2m:grp'), asks('rcn', rcn));
const containerWith = (rcn: string) => all(creates('m2m:cnt'), asks('rcn', rcn));

/** Other content of the answers to these requests. */
function holding(which: Which, change: (content: Attributes, exchange: Parameters<Which>[0]) => unknown): Wrap {
  return answering(which, (answer: HttpResponse, exchange) => {
    const content = jsonIn(answer.body);
    return isObject(content) ? withBody(answer, change(content, exchange)) : undefined;
  });
}

const madeAt = ({ 'm2m:uri': address }: Attributes, { core }: Parameters<Which>[0]) =>
  resourceAt(String(address), core);

const isPost: Which = ({ method }) => method === 'POST';
const unreadable = all(isPost, ({ request }) => request.body.length > 0 && jsonIn(request.body) === undefined);
const withNull = all(isPost, ({ request }) => {
  const value = jsonIn(request.body);
  return isObject(value) && Object.values(value).some((one) => one === null);
});
const withRoots = all(isPost, ({ request }) => {
  const value = jsonIn(request.body);
  return isObject(value) && Object.keys(value).length > 1;
});

export const creationResults: readonly Fault[] = [
  breaking(
    'std.create.rcn.0',
    'attributes',
    'The create of a group with rcn 0 answers its attributes.',
    asIf(groupWith('0'), 'rcn', '1'),
  ),
  breaking(
    'std.create.rcn.0.created',
    'nothing',
    'The create of a group with rcn 0 is answered as done, and nothing is created.',
    pretending(groupWith('0'), CREATED),
  ),
  breaking(
    'std.create.rcn.1',
    'nothing',
    'The create of a container with rcn 1 answers nothing.',
    asIf(containerWith('1'), 'rcn', '0'),
  ),
  breaking(
    'std.create.rcn.1',
    'address',
    'The create of a container with rcn 1 answers its address.',
    asIf(containerWith('1'), 'rcn', '2'),
  ),
  breaking(
    'std.create.rcn.2',
    'identifier',
    'The create of a group with rcn 2 answers its identifier.',
    holding(groupWith('2'), (content, exchange) => ({ 'm2m:uri': madeAt(content, exchange)?.id })),
  ),
  breaking(
    'std.create.rcn.2.nothing-else',
    'identifier-too',
    'The create of a group with rcn 2 answers its identifier beside its address.',
    holding(groupWith('2'), (content, exchange) => ({ ...content, 'm2m:ri': madeAt(content, exchange)?.id })),
  ),
  breaking(
    'std.create.rcn.3',
    'long-root',
    'The create of a group with rcn 3 is answered below the root m2m:resourceWrapper.',
    holding(groupWith('3'), ({ 'm2m:rce': created }) => ({ 'm2m:resourceWrapper': created })),
  ),
  breaking(
    'std.create.rcn.3.address',
    'missing',
    'The create of a group with rcn 3 does not answer its address.',
    lacking(groupWith('3'), 'uri'),
  ),
  breaking(
    'std.create.rcn.3.attributes',
    'missing',
    'The create of a group with rcn 3 does not answer its attributes.',
    lacking(groupWith('3'), 'm2m:grp'),
  ),
  breaking(
    'std.create.rcn.9',
    'all',
    'The create of a container with rcn 9 that gives labels answers all attributes.',
    asIf(all(containerWith('9'), gives('lbl')), 'rcn', '1'),
  ),
  breaking(
    'std.create.rcn.9.overridden',
    'left-out',
    'The create of a container with rcn 9 never answers et.',
    lacking(all(containerWith('9'), gives('et')), 'et'),
  ),
  breaking(
    'std.create.rcn.refused',
    'not-looked-at',
    'The create of a container with rcn 4 answers its attributes.',
    asIf(containerWith('4'), 'rcn', '1'),
  ),
  breaking(
    'std.create.rcn.refused',
    'fails',
    'The create of a container with rcn 4 is answered with 5000.',
    codingAs(containerWith('4'), BAD_REQUEST, failure),
  ),
  breaking(
    'std.content.broken',
    'fails',
    'Content that is not JSON is answered with 5000.',
    codingAs(unreadable, BAD_REQUEST, failure),
  ),
  breaking(
    'std.content.empty',
    'fails',
    'A create without content is answered with 5000.',
    codingAs(
      all(isPost, ({ request }) => request.body.length === 0),
      BAD_REQUEST,
      failure,
    ),
  ),
  breaking(
    'std.content.empty',
    'null',
    'A create whose root holds null is answered as done, and nothing is created.',
    pretending(withNull, CREATED),
  ),
  breaking(
    'std.content.two-roots',
    'first',
    'Of content with two roots the first is taken.',
    rewriting(withRoots, ({ request }) => {
      const [[root, attributes] = []] = Object.entries(jsonIn(request.body) as Attributes);
      return { ...request, body: jsonBytes({ [String(root)]: attributes }) };
    }),
  ),
];
