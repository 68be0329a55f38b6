import { pathOf } from '../model/address.ts';
import { isPlainText } from '../model/contents.ts';
import { type Expected, expected, numberOf, succeeds, whenPresent } from '../model/expected.ts';
import { contentOf, instancesOf, type ModelResource } from '../model/resource.ts';
import { ask, type Came, type Part } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';

/** A read by the path relative to the CSE base, of what the model holds. */
export function* read(resource: ModelResource, ground: Ground, by = 'nobody', operation = 'retrieve'): Part<Came> {
  const about = { by, ...(by === 'nobody' && { expect: 'success' as const }), kind: resource.kind };
  const expectations = [...statusOf(resource, by, ground), ...asHeld(resource)];
  return yield ask({ retrieve: pathOf(resource, ground.model) }, operation, expectations, about);
}

/** Of what created it itself, rules say it. */
function statusOf({ owner }: ModelResource, by: string, { plain }: Ground): Expected[] {
  if (by === 'visitor') return [understood];
  const isNeedless = plain && by === 'nobody' && owner !== 'nobody';
  return isNeedless ? [expected('wire.originator.not-needed-over-http', { status: succeeds })] : [];
}

/** An originator of the documented form, where it is not shown whether it may do this. */
export const understood = expected('wire.originator.absolute-form', {
  'one of': [
    { source: 'Wire conventions, originator header', status: succeeds },
    {
      variant: 'understood, but not authorised',
      source: 'Authentication: which originator may do what is not shown',
      status: { 'one of': [401, 403] },
    },
  ],
});

/** What the model holds of it and no rule can tell; counters only where it is certain which content instances the container holds: it is looked for where a limit may have cost some. */
export function asHeld({ kind, known, children }: ModelResource): Expected[] {
  if (kind === 'content instance') return [whenPresent('content-instance.st.zero', 'st', { 'one of': ['0', 0] })];
  if (kind !== 'container' || !known) return [];
  const instances = instancesOf({ children });
  const count = numberOf('container.cni.counts', 'cni', instances.length);
  if (!instances.every(({ held }) => isPlainText(held))) return [count];
  const bytes = instances.reduce((sum, one) => sum + contentOf(one).length, 0);
  return [count, numberOf('container.cbs.counts', 'cbs', bytes)];
}
