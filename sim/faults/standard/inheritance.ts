/** Under which policies resources stand, and whose they are without any. */

import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { Fault } from '../fault.ts';
import { isSuccess, resourceAt } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, refused } from '../vocabulary/changed-answers.ts';
import {
  type Arrival,
  afterwards,
  asAdministrator,
  creating,
  giving,
  insteadOfRefusing,
  originatorOf,
  reading,
  refusedAs,
  rejecting,
  updating,
} from '../vocabulary/standard-exchanges.ts';
import { names, policiesOf, rulesFor } from '../vocabulary/standard-rights.ts';
import { takingOtherwise } from '../vocabulary/standard-taken.ts';

const noPrivilege = 4103;
const denied = { status: 403, code: noPrivilege };
const notFound = { status: 404, code: 4004 };

const isCreators = (arrival: Arrival) => arrival.addressed?.creator === originatorOf(arrival);
const isContainer = (resource: Resource | undefined) => resource?.type.root === 'm2m:cnt';

/** A container without policies in one with them. */
const inherits = ({ addressed, about }: Arrival) =>
  !about.discovery &&
  isContainer(addressed) &&
  isContainer(addressed?.parent) &&
  policiesOf(addressed).length === 0 &&
  policiesOf(addressed?.parent).length > 0;

/** A container that belongs to nobody else and refers to nothing. */
const isWithoutPolicy = ({ addressed }: Arrival) =>
  isContainer(addressed) && policiesOf(addressed).length === 0 && policiesOf(addressed?.parent).length === 0;

/** A resource all of whose policies are gone. */
const isLeftAlone = ({ addressed, core }: Arrival) =>
  policiesOf(addressed).length > 0 && policiesOf(addressed).every((policy) => resourceAt(policy, core) === undefined);

/** A content instance that is read, by whatever address, in a container with policies. */
const readsInstance = ({ about, addressed }: Arrival) =>
  about.method === 'GET' && addressed?.type.root === 'm2m:cin' && policiesOf(addressed.parent).length > 0;

const isUnknown = (policy: unknown, core: Cse) => typeof policy === 'string' && resourceAt(policy, core) === undefined;

export const inheritance: readonly Fault[] = [
  breaking(
    'std.access.parent.allowed',
    'hidden',
    'A container that stands under the policies of the container above it is not found, 4004, by others than its creator.',
    afterwards((exchange) =>
      inherits(exchange) && !isCreators(exchange) && isSuccess(exchange.answer) && exchange.about.method === 'GET'
        ? refused(notFound.status, notFound.code, exchange.request)
        : undefined,
    ),
  ),
  breaking(
    'std.access.parent.refused',
    'open',
    'A container without acpi, in one with it, is open to everybody.',
    insteadOfRefusing(noPrivilege, inherits, asAdministrator),
  ),
  breaking(
    'std.access.instance.allowed',
    'creator-only',
    'In a container with policies, content instances are read by their creator only; others are refused with 4103.',
    rejecting(denied, (arrival) => readsInstance(arrival) && !isCreators(arrival)),
  ),
  breaking(
    'std.access.instance.refused',
    'open',
    'Who may do something to a container by its policies reads its content instances.',
    insteadOfRefusing(
      noPrivilege,
      (exchange) =>
        readsInstance(exchange) &&
        rulesFor(exchange.addressed?.parent, exchange.core).some((rule) => names(rule, originatorOf(exchange))),
      asAdministrator,
    ),
  ),
  breaking(
    'std.access.default.creator',
    'not-above-others',
    'Who created a container without policies that holds something does not change its labels: 4103.',
    rejecting(
      denied,
      (arrival) =>
        updating('m2m:cnt')(arrival) &&
        giving('lbl')(arrival) &&
        isWithoutPolicy(arrival) &&
        isCreators(arrival) &&
        (arrival.addressed?.children?.size ?? 0) > 0,
    ),
  ),
  breaking(
    'std.access.default.others',
    'hidden',
    'Others than the creator are told 4004 where they may not update a container without policies.',
    refusedAs(notFound, noPrivilege, (exchange) => exchange.about.method === 'PUT' && isWithoutPolicy(exchange)),
  ),
  breaking(
    'std.access.custodian',
    'ignored',
    'The custodian of a resource has no more rights than others; its creator keeps his.',
    takingOtherwise(({ attributes: { cstn, ...attributes } }) => (typeof cstn === 'string' ? attributes : undefined)),
  ),
  breaking(
    'std.access.dangling.create',
    'fails',
    'The creation of a container that names a policy which does not exist ends in 500 and 5000.',
    rejecting(
      { status: 500, code: 5000 },
      ({ given, core, ...arrival }) =>
        creating('m2m:cnt')({ given, core, ...arrival }) &&
        Array.isArray(given?.attributes.acpi) &&
        given.attributes.acpi.some((policy) => isUnknown(policy, core)),
    ),
  ),
  breaking(
    'std.access.dangling.creator',
    'locked-out',
    'Nobody reads a resource any more whose policies are gone: 4103.',
    rejecting(denied, (arrival) => reading()(arrival) && isLeftAlone(arrival)),
  ),
  breaking(
    'std.access.dangling.others',
    'fails',
    'An update that is refused, of a resource whose policies are gone, ends in 500 and 5000.',
    afterwards((exchange) =>
      exchange.about.method === 'PUT' &&
      exchange.code === noPrivilege &&
      isLeftAlone(exchange) &&
      !giving('acpi')(exchange)
        ? recoded(exchange.answer, 500, 5000)
        : undefined,
    ),
  ),
];
