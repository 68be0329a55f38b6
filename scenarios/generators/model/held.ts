/** What the model holds of one resource and no rule can tell, as expectations about an answer that shows it. */
import { isPlainText } from './contents.ts';
import { type Expected, numberOf, whenPresent } from './expected.ts';
import { contentOf, instancesOf, type Resource } from './resource.ts';

/** Counters only where it is certain which content instances the container holds: it is looked for where a limit may have cost some. */
export function asHeld({ kind, known, children }: Resource): Expected[] {
  if (kind === 'content instance') return [whenPresent('content-instance.st.zero', 'st', { 'one of': ['0', 0] })];
  if (kind !== 'container' || !known) return [];
  const instances = instancesOf({ children });
  const count = numberOf('container.cni.counts', 'cni', instances.length);
  if (!instances.every(({ held }) => isPlainText(held))) return [count];
  const bytes = instances.reduce((sum, one) => sum + contentOf(one).length, 0);
  return [count, numberOf('container.cbs.counts', 'cbs', bytes)];
}
