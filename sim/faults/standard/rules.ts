/** What rules of policies allow, and how several of them add up. */

import { OK } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import { done } from '../vocabulary/standard-changes.ts';
import {
  type Arrival,
  afterwards,
  asAdministrator,
  beforehand,
  type Exchange,
  insteadOfRefusing,
  originatorOf,
  reading,
  rejecting,
} from '../vocabulary/standard-exchanges.ts';
import { names, policiesOf, rulesFor } from '../vocabulary/standard-rights.ts';
import { takingOtherwise, takingRule, takingRules } from '../vocabulary/standard-taken.ts';

const everything = 63;
const noPrivilege = 4103;

const operations = [
  { bit: 1, name: 'create' },
  { bit: 2, name: 'retrieve' },
  { bit: 4, name: 'update' },
  { bit: 8, name: 'delete' },
] as const;

const isPlain = ({ acco, acod }: Attributes) => acco === undefined && acod === undefined;

/** The right to retrieve is apart, since content instances are read by the policies of their container. */
const allowed: readonly Fault[] = operations
  .filter(({ name }) => name !== 'retrieve')
  .map(({ bit, name }) =>
    breaking(
      `std.access.operation.${name}`,
      'alone-nothing',
      `A rule of pv whose acop is ${bit}, without contexts and kinds, allows nothing.`,
      takingRule((rule) => (rule.acop === bit && isPlain(rule) ? undefined : rule)),
    ),
  );

const allowedToRetrieve = breaking(
  'std.access.operation.retrieve',
  'alone-nothing',
  'A rule whose acop is 2 alone does not allow to read a container that names its policy: 4103.',
  rejecting({ status: 403, code: noPrivilege }, (arrival) => {
    const { addressed, core } = arrival;
    const rules = rulesFor(addressed, core).filter((rule) => names(rule, originatorOf(arrival)));
    return reading('m2m:cnt')(arrival) && rules.length > 0 && rules.every(({ acop }) => acop === 2);
  }),
);

const notAllowed: readonly Fault[] = operations.map(({ bit, name }) =>
  breaking(
    `std.access.operation.${name}.refused`,
    'with-all-others',
    `A rule of pv that allows everything but to ${name} allows that, too.`,
    takingRule((rule) => (rule.acop === everything - bit ? { ...rule, acop: everything } : rule)),
  ),
);

/** Whether somebody notifies an application entity that is not himself. */
const notifiesOther = (arrival: Arrival) =>
  arrival.given?.root === 'm2m:sgn' &&
  arrival.addressed?.type.root === 'm2m:ae' &&
  arrival.addressed.values.aei !== originatorOf(arrival);

const notifications: readonly Fault[] = [
  breaking(
    'std.access.operation.notify',
    'denied',
    'Who notifies an application entity that is not himself is told 4103, though the notification is passed on.',
    afterwards((exchange) => (notifiesOther(exchange) ? recoded(exchange.answer, 403, noPrivilege) : undefined)),
  ),
  breaking(
    'std.access.operation.notify.refused',
    'with-create',
    'A rule of pv that allows to create allows to notify, too.',
    takingRule((rule) => (Number(rule.acop) & 1 ? { ...rule, acop: Number(rule.acop) | 16 } : rule)),
  ),
  breaking(
    'std.access.operation.notify.passed-on',
    'not-sent',
    'A notification by somebody else for an application entity that has a point of access is answered by 2000 and not passed on.',
    beforehand((arrival) =>
      notifiesOther(arrival) && arrival.addressed?.values.poa !== undefined ? done(arrival.request, OK) : undefined,
    ),
  ),
];

const discoveries: readonly Fault[] = [
  breaking(
    'std.access.operation.discovery-alone',
    'retrieves',
    'A rule of pv whose acop is 32 allows to retrieve, too.',
    takingRule((rule) => (rule.acop === 32 ? { ...rule, acop: 34 } : rule)),
  ),
];

/** Whether a resource has one policy, in which each of several rules names one originator, and none the one who asks. */
function isForSingleOnes(exchange: Exchange): boolean {
  const { addressed, core } = exchange;
  const named = policiesOf(addressed).length === 1 ? rulesFor(addressed, core).map(({ acor }) => String(acor)) : [];
  const isAnother = (entry: string) => /^[CS][\w-]+$/.test(entry) && entry !== originatorOf(exchange);
  return named.length > 1 && named.every(isAnother);
}

const sum: readonly Fault[] = [
  breaking(
    'std.access.not-named',
    'administrator',
    'Where the only policy of a resource has several rules, each for one identifier, everybody else may do everything.',
    insteadOfRefusing(noPrivilege, isForSingleOnes, asAdministrator),
  ),
  breaking(
    'std.access.several-policies',
    'first-only',
    'Of several policies that a resource names only the first is looked at.',
    takingOtherwise(({ attributes }) =>
      Array.isArray(attributes.acpi) ? { ...attributes, acpi: attributes.acpi.slice(0, 1) } : undefined,
    ),
  ),
  breaking(
    'std.access.several-rules',
    'first-only',
    'Of several rules of pv that name the same originators only the first is looked at.',
    takingRules('pv', (rules) => {
      const named = rules.map(({ acor }) => JSON.stringify(acor));
      return rules.filter((_, place) => named.indexOf(named[place] ?? '') === place);
    }),
  ),
];

export const rules: readonly Fault[] = [
  ...allowed,
  allowedToRetrieve,
  ...notAllowed,
  ...notifications,
  ...discoveries,
  ...sum,
];
