/** What the standard says of subscriptions as resources, broken. */

import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { isObject } from '../vocabulary/representations.ts';
import {
  asAdministrator,
  both,
  creating,
  type Exchange,
  insteadOfRefusing,
  lettingPass,
  originatorOf,
  reading,
  refusedAs,
  rejecting,
  updating,
  type When,
  without,
} from '../vocabulary/standard-exchanges.ts';
import { showing } from '../vocabulary/standard-shown.ts';

const created = creating('m2m:sub');

/** A creation that gives an attribute with a value like this. */
const given =
  (name: string, matches: (value: unknown) => boolean = (value) => value !== undefined): When =>
  (arrival) =>
    created(arrival) && matches(arrival.given?.attributes[name]);

const criterion =
  (name: string, matches: (value: unknown) => boolean = (value) => value !== undefined): When =>
  (arrival) =>
    given('enc', (enc) => isObject(enc) && matches(enc[name]))(arrival);

const names = (net: number) => (value: unknown) => Array.isArray(value) && value.includes(net);

const isUnknown = (net: unknown) => Array.isArray(net) && net.some((one) => Number(one) > 8);

const withoutCriterion =
  (name: string) =>
  (attributes: Attributes): Attributes => ({
    ...attributes,
    enc: isObject(attributes.enc) ? without(attributes.enc, name) : attributes.enc,
  });

const aboutUpdates = (attributes: Attributes): Attributes => ({ ...without(attributes, 'nct'), enc: { net: [1] } });

const isOf =
  (root: string): When =>
  ({ addressed }) =>
    addressed?.type.root === root;

const isIdentifiers = (targets: unknown) => Array.isArray(targets) && targets.some((one) => /^[/C]/.test(String(one)));

export const subscriptions: readonly Fault[] = [
  breaking(
    'std.subscription.create',
    'identifier-unverified',
    'A subscription whose target is named by an identifier is refused with 5204, as if it could not be asked.',
    rejecting({ status: 500, code: 5204 }, given('nu', isIdentifiers)),
  ),
  breaking(
    'std.subscription.optional',
    'priority-lost',
    'A subscription that is read does not show psn.',
    showing(reading('m2m:sub'), (attributes) => without(attributes, 'psn')),
  ),
  breaking(
    'std.subscription.optional',
    'group-path-refused',
    'A subscription with a gpi is refused with 4000.',
    rejecting({ status: 400, code: 4000 }, given('gpi')),
  ),
  breaking(
    'std.subscription.kept',
    'targets-hidden',
    'A subscription that is read does not show nu.',
    showing(reading('m2m:sub'), (attributes) => without(attributes, 'nu')),
  ),
  breaking(
    'std.subscription.update.optional',
    'category-ignored',
    'An update of nec alone is answered as done, and changes nothing.',
    showing(
      (exchange) => updating('m2m:sub')(exchange) && exchange.given?.attributes.nec !== undefined,
      (attributes) => without(attributes, 'nec'),
    ),
  ),
  breaking(
    'std.subscription.update.optional',
    'batch-refused',
    'An update that gives a subscription a bn is refused with 4000.',
    rejecting({ status: 400, code: 4000 }, (one) => updating('m2m:sub')(one) && one.given?.attributes.bn !== undefined),
  ),
  breaking(
    'std.subscription.content-type',
    'not-told',
    'A subscription that was created without nct does not show one in the answer.',
    showing(
      (exchange) => created(exchange) && exchange.given?.attributes.nct === undefined,
      (attributes) => without(attributes, 'nct'),
    ),
  ),
  breaking(
    'std.subscription.target.mandatory',
    'originator-instead',
    'A subscription without nu is created for its originator.',
    lettingPass(
      given('nu', (nu) => nu === undefined),
      (attributes, exchange) => ({ ...attributes, nu: [originatorOf(exchange)] }),
    ),
  ),
  breaking(
    'std.subscription.unknown-event',
    'left-out',
    'A subscription to an event type above 8 is created as one without net.',
    lettingPass(criterion('net', isUnknown), withoutCriterion('net')),
  ),
  breaking(
    'std.subscription.unknown-content-type',
    'left-out',
    'A subscription with an nct above 5 is created as if it had none.',
    lettingPass(
      given('nct', (nct) => Number(nct) > 5),
      (attributes) => without(attributes, 'nct'),
    ),
  ),
  breaking(
    'std.subscription.counter.positive',
    'zero-taken',
    'A subscription with an exc of zero is created as if it had none.',
    lettingPass(
      given('exc', (exc) => exc === 0),
      (attributes) => without(attributes, 'exc'),
    ),
  ),
  breaking(
    'std.subscription.not-subscribable',
    'another-code',
    'What is created below a subscription or a content instance is refused with 4005.',
    beneath(['m2m:sub', 'm2m:cin']),
  ),
  breaking(
    'std.subscription.creator',
    'not-told',
    'The answer to the creation of a subscription does not name its creator.',
    showing(created, (attributes) => without(attributes, 'cr')),
  ),
  breaking(
    'std.subscription.without-right',
    'right-to-create-enough',
    'Who may create below a resource, but not read it, subscribes to it.',
    insteadOfRefusing(4103, created, asAdministrator),
  ),
  breaking(
    'std.subscription.with-right',
    'others-refused',
    'Who has not created a resource cannot subscribe to it, whatever its policies allow.',
    rejecting({ status: 403, code: 4103 }, (arrival) => created(arrival) && !isCreator(arrival)),
  ),
  breaking(
    'std.subscription.content-type.of-event',
    'taken-for-children',
    'A subscription to created children with content type 2 is created with content type 1.',
    lettingPass(
      both(
        criterion('net', names(3)),
        given('nct', (nct) => nct === 2),
      ),
      (attributes) => ({ ...attributes, nct: 1 }),
    ),
  ),
  breaking(
    'std.subscription.monitor-beside-event',
    'monitor-left-out',
    'A subscription to events and monitored operations is created without the latter.',
    lettingPass(both(criterion('om'), criterion('net')), withoutCriterion('om')),
  ),
  breaking(
    'std.subscription.impossible-child',
    'left-out',
    'A subscription whose chty is refused is created without it.',
    lettingPass(criterion('chty'), withoutCriterion('chty')),
  ),
  breaking(
    'std.subscription.missing-data.only-time-series',
    'taken-anywhere',
    'A subscription to missing data of a container is created as one to updates.',
    lettingPass(both(criterion('net', names(8)), isOf('m2m:cnt')), aboutUpdates),
  ),
  breaking(
    'std.subscription.missing-data.needed',
    'one-by-default',
    'A subscription to missing data without md is created as if one piece in a minute were enough.',
    lettingPass(both(criterion('net', names(8)), isOf('m2m:ts')), (attributes) => ({
      ...attributes,
      enc: { net: [8], md: { num: 1, dur: 'PT1M' } },
    })),
  ),
  breaking(
    'std.subscription.missing-data.condition',
    'left-out',
    'A subscription to updates of a container with md is created without it.',
    lettingPass(both(criterion('md'), criterion('net', names(1))), withoutCriterion('md')),
  ),
];

function beneath(roots: readonly string[]) {
  const when = (exchange: Exchange) => created(exchange) && roots.some((root) => isOf(root)(exchange));
  return refusedAs({ status: 405, code: 4005 }, 5203, when);
}

function isCreator(arrival: Parameters<When>[0]): boolean {
  const { addressed, core } = arrival;
  const originator = originatorOf(arrival);
  const { aei } = addressed?.values ?? {};
  return [addressed?.creator, aei, core.configuration.accessControl.admin].includes(originator);
}
