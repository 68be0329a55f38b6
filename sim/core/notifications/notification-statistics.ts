/** What was sent to each target of a subscription with `nse` (`nsi`: setOfNotificationStatsInfo of TS-0004). */
import type { Value } from '../attribute-types.ts';
import type { Resource } from '../resource.ts';

/** Requests sent, responses received, events notified. */
type Counter = 'rqs' | 'rsr' | 'noec';

type Counts = Readonly<Record<Counter, number>> & { readonly tg: string };

/** Counts where statistics are enabled. The list begins with what is counted first. */
export function count({ values }: Resource, target: string, counter: Counter, more: number): void {
  if (values.nse !== true) return;
  const known = (values.nsi as readonly Counts[] | undefined) ?? [];
  const counts = known.find(({ tg }) => tg === target) ?? { tg: target, rqs: 0, rsr: 0, noec: 0 };
  const counted: Counts = { ...counts, [counter]: counts[counter] + more };
  values.nsi = [...known.filter(({ tg }) => tg !== target), counted] satisfies Value;
}
