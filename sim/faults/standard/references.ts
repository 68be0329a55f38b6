/** Who changes to which policies a resource refers. */

import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, refused } from '../vocabulary/changed-answers.ts';
import {
  afterwards,
  asAdministrator,
  asItIs,
  beforehand,
  type Exchange,
  giving,
  originatorOf,
  updating,
} from '../vocabulary/standard-exchanges.ts';

const noPrivilege = 4103;

/** Whether somebody changes the policies of a resource who did not create it. */
const isChangedByOthers = (exchange: Exchange) =>
  updating()(exchange) && giving('acpi')(exchange) && exchange.addressed?.values.aei !== originatorOf(exchange);

export const references: readonly Fault[] = [
  breaking(
    'std.access.reference.allowed',
    'owner-only',
    'Only an application entity itself changes its acpi; others are refused with 4103.',
    beforehand((arrival) =>
      updating('m2m:ae')(arrival) && giving('acpi')(arrival) && arrival.addressed?.values.aei !== originatorOf(arrival)
        ? refused(403, noPrivilege, arrival.request)
        : undefined,
    ),
  ),
  breaking(
    'std.access.reference.refused',
    'not-told',
    'Who may not change acpi is answered as if he had, though nothing changes.',
    afterwards(async (exchange) => {
      if (exchange.code !== noPrivilege || !isChangedByOthers(exchange)) return undefined;
      return recoded(await asItIs({ ...exchange, request: asAdministrator(exchange) }), 200, 2004);
    }),
  ),
  breaking(
    'std.access.reference.kept',
    'changed',
    'Who may not change acpi is refused, but it is changed.',
    afterwards(async (exchange) => {
      if (exchange.code !== noPrivilege || !isChangedByOthers(exchange)) return undefined;
      await exchange.serve(asAdministrator(exchange));
      return exchange.answer;
    }),
  ),
  breaking(
    'std.access.reference.other-attributes',
    'owner-only',
    'An application entity that names policies is updated by nobody but itself, unless acpi is changed: 4103.',
    beforehand((arrival) =>
      updating('m2m:ae')(arrival) &&
      !giving('acpi')(arrival) &&
      arrival.addressed?.values.acpi !== undefined &&
      arrival.addressed.values.aei !== originatorOf(arrival)
        ? refused(403, noPrivilege, arrival.request)
        : undefined,
    ),
  ),
];
