/** What the standard says of updates that are refused, of times, and of the answer to an update, broken. */

import { BAD_REQUEST, CONFLICT, NOT_FOUND, OPERATION_NOT_ALLOWED, UPDATED } from '../../core/status.ts';
import { readTimestamp } from '../../dialects/timestamp.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { describing } from '../vocabulary/changed-requests.ts';
import {
  asIf,
  codingAs,
  doingAllTheSame,
  failure,
  hasCriteria,
  overlooking,
  pretending,
  refusingThose,
  rewriting,
  showingAs,
  withoutCriteria,
} from '../vocabulary/standard-changes.ts';
import { all, asks, Exchange, gives, readsWhole, updates, type Which } from '../vocabulary/standard-wanted.ts';
import { Told } from '../vocabulary/told.ts';

const channel = updates('m2m:pch');
const group = updates('m2m:grp');
const container = updates('m2m:cnt');

const givesLabels: Which = ({ sent }) => Array.isArray(sent?.attributes.lbl);

/** From these updates on, done or refused, the resource is read with other attributes. */
function tellingAfter(which: Which, wanted: 'done' | 'refused', tell: (exchange: Exchange) => Attributes): Wrap {
  return (service, core) => {
    const told = new Told();
    return handling(async (request) => {
      const exchange = new Exchange(request, core);
      const id = which(exchange) ? exchange.target?.id : undefined;
      const attributes = id === undefined ? undefined : tell(exchange);
      const answer = await service.handle(request);
      if (attributes !== undefined && isSuccess(answer) === (wanted === 'done')) {
        told.say(id, attributes);
        return answer;
      }
      return request.method === 'GET' ? told.in(answer) : answer;
    })(service, core);
  };
}

const conditional = all(container, hasCriteria);

const passed: Which = ({ sent, core }) => {
  const { et } = sent?.attributes ?? {};
  const moment = typeof et === 'string' ? readTimestamp(et) : undefined;
  return moment !== undefined && moment < core.services.ports.clock.now();
};

const beforeChild: Which = ({ sent, target }) => {
  const { et } = sent?.attributes ?? {};
  const moment = typeof et === 'string' ? readTimestamp(et) : undefined;
  return moment !== undefined && [...(target?.children?.values() ?? [])].some(({ expires }) => expires > moment);
};

const containerWith = (rcn: string) => all(container, asks('rcn', rcn));

export const updateRefusals: readonly Fault[] = [
  breaking(
    'std.update.not-found',
    'bad-request',
    'An update of what is not there is refused with 4000.',
    codingAs(updates(), NOT_FOUND, BAD_REQUEST),
  ),
  breaking(
    'std.update.read-only',
    'not-allowed',
    'An update of the creation time of a polling channel is refused with 4005.',
    codingAs(all(channel, gives('ct')), BAD_REQUEST, OPERATION_NOT_ALLOWED),
  ),
  breaking(
    'std.update.read-only',
    'not-looked-at',
    'A name that an update of a container gives is not looked at.',
    overlooking(all(container, gives('rn')), 'rn'),
  ),
  breaking(
    'std.update.read-only.unchanged',
    'taken',
    'A creation time that an update of a polling channel gives is refused, and read from then on.',
    tellingAfter(all(channel, gives('ct')), 'refused', ({ sent }) => ({ ct: sent?.attributes.ct })),
  ),
  breaking(
    'std.update.mandatory',
    'fails',
    'An update that takes mnm of a group by null is answered with 5000.',
    codingAs(all(group, gives('mnm')), BAD_REQUEST, failure),
  ),
  breaking(
    'std.update.mandatory',
    'not-looked-at',
    'An update that takes pvs of an access control policy by null is answered as done, and pvs stays.',
    overlooking(
      all(updates('m2m:acp'), ({ sent }) => sent?.attributes.pvs === null),
      'pvs',
    ),
  ),
  breaking(
    'std.update.mandatory',
    'fails-without-target',
    'An update that takes nu of a subscription by null is answered with 5000.',
    refusingThose(
      all(updates('m2m:sub'), ({ sent }) => sent?.attributes.nu === null),
      failure,
    ),
  ),
  breaking(
    'std.update.mandatory.kept',
    'gone',
    'A group is read without mnm after an update that would have taken it by null was refused.',
    tellingAfter(
      all(group, ({ sent }) => sent?.attributes.mnm === null),
      'refused',
      () => ({ mnm: undefined }),
    ),
  ),
  breaking(
    'std.update.foreign',
    'left-out',
    'exc is left out of updates of polling channels, which do not have it.',
    overlooking(channel, 'exc'),
  ),
  breaking(
    'std.update.foreign',
    'conflict',
    'exc in an update of a polling channel, which does not have it, is refused with 4105.',
    codingAs(all(channel, gives('exc')), BAD_REQUEST, CONFLICT),
  ),
  breaking(
    'std.update.wrong-root',
    'not-looked-at',
    'The root of the content of an update of a container is not looked at.',
    rewriting(
      container,
      ({ request, sent }) => sent && describing(request, { root: 'm2m:cnt', attributes: sent.attributes }),
    ),
  ),
  breaking(
    'std.update.wrong-root',
    'conflict',
    'An update of a container below the root of groups is refused with 4105.',
    codingAs(
      all(container, ({ sent }) => sent?.root === 'm2m:grp'),
      BAD_REQUEST,
      CONFLICT,
    ),
  ),
  breaking(
    'std.update.conditional.not-met',
    'done',
    'An update of a container with filter criteria is answered as done, and nothing is changed.',
    pretending(conditional, UPDATED),
  ),
  breaking(
    'std.update.conditional.unchanged',
    'changed',
    'An update of a container with filter criteria is done whether they are met or not, and refused where they are not.',
    doingAllTheSame(conditional, withoutCriteria),
  ),
  breaking(
    'std.update.lt',
    'back',
    'A container that has been modified since its creation tells the year 2020 as the time of that.',
    showingAs(readsWhole('m2m:cnt'), 'lt', (lt, { ct }) => (lt === ct ? lt : '20200101T000000')),
  ),
  breaking(
    'std.update.et',
    'later',
    'An update of et of a group is answered with the end of 2199 as its expiration time.',
    showingAs(all(group, gives('et')), 'et', () => '21991231T235959'),
  ),
  breaking(
    'std.update.et',
    'not-done',
    'An update of et of a container is answered as done, and et stays as it was.',
    overlooking(container, 'et'),
  ),
  breaking(
    'std.update.et-passed',
    'not-looked-at',
    'An expiration time that has passed is not looked at in an update.',
    overlooking(all(updates(), passed), 'et'),
  ),
  breaking(
    'std.update.et-passed',
    'conflict',
    'An update with an expiration time that has passed is refused with 4105.',
    codingAs(all(updates(), passed), BAD_REQUEST, CONFLICT),
  ),
  breaking(
    'std.update.et.before-child',
    'conflict',
    'An expiration time before that of a child that has not passed is refused with 4105 in an update.',
    codingAs(
      all(updates(), beforeChild, (exchange) => !passed(exchange)),
      BAD_REQUEST,
      CONFLICT,
    ),
  ),
  breaking(
    'std.update.acpi',
    'not-done',
    'An update of acpi of a group is answered as done, and acpi stays as it was.',
    overlooking(group, 'acpi'),
  ),
  breaking(
    'std.container.update.optional',
    'not-done',
    'An update of or of a container is answered as done, and or stays as it was.',
    overlooking(container, 'or'),
  ),
  breaking(
    'std.update.mandatory-changed',
    'not-done',
    'An update of mid of a group is answered as done, and mid stays as it was.',
    overlooking(group, 'mid'),
  ),
  breaking(
    'std.update.rcn.0',
    'attributes',
    'An update of a container with rcn 0 answers its attributes.',
    asIf(containerWith('0'), 'rcn', '1'),
  ),
  breaking(
    'std.update.rcn.1',
    'nothing',
    'An update of a container with rcn 1 answers nothing.',
    asIf(containerWith('1'), 'rcn', '0'),
  ),
  breaking(
    'std.update.rcn.9',
    'all',
    'An update of a container with rcn 9 answers all attributes.',
    asIf(containerWith('9'), 'rcn', '1'),
  ),
  breaking(
    'std.update.rcn.refused',
    'not-looked-at',
    'An update of a container with rcn 4 answers its attributes.',
    asIf(containerWith('4'), 'rcn', '1'),
  ),
  breaking(
    'std.content-instance.update',
    'bad-request',
    'An update of a content instance is refused with 4000.',
    codingAs(
      all(updates('m2m:cin'), ({ about }) => !about.virtual),
      OPERATION_NOT_ALLOWED,
      BAD_REQUEST,
    ),
  ),
  breaking(
    'std.content-instance.update',
    'done',
    'An update of the labels of a content instance by its own path is answered as done, and nothing is changed.',
    pretending(
      all(updates('m2m:cin'), givesLabels, ({ about }) => !about.virtual),
      UPDATED,
    ),
  ),
];
