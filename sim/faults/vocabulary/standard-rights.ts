/** What faults of the standard look at in the policies to which resources refer. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import { type Attributes, resourceAt } from './asked.ts';
import { rulesIn } from './standard-taken.ts';

/** The addresses of the policies that a resource itself names. */
export const policiesOf = (resource: Resource | undefined) => (resource?.values.acpi ?? []) as readonly string[];

/** The rules of `pv` of all of them. */
export function rulesFor(resource: Resource | undefined, core: Cse): readonly Attributes[] {
  return policiesOf(resource).flatMap((policy) => rulesIn(resourceAt(policy, core)?.values.pv) ?? []);
}

/** Whether a rule names an originator by its identifier alone. */
export const names = ({ acor }: Attributes, originator: string) => Array.isArray(acor) && acor.includes(originator);
