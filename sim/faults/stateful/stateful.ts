/** Faults that show only after something has happened, at some times, or in some places. */
import type { Fault } from '../fault.ts';
import { containers } from './containers.ts';
import { discoveries } from './discoveries.ts';
import { lives } from './lives.ts';
import { meetings } from './meetings.ts';
import { places } from './places.ts';
import { staleWrites } from './stale-writes.ts';

/** What the specification shows in single requests or short sequences is looked at by scenarios; the rest is for generators. */
const seenByScenarios: ReadonlySet<string> = new Set(
  [
    'sp-relative.container-remembered',
    'sp-relative.creation-uncounted',
    'every-10th.creation-is-200',
    'every-3rd.latest-is-late',
    'every-2nd.latest-is-consumed',
    'same-content.not-created',
    'many.ch-cut',
    'index.lists-removed',
    'index.new-label-unknown',
    'index.old-label-kept',
    'child.creates-parent-anew',
    'originators.creator-of-before',
    'originators.cni-of-own',
    'originators.latest-of-own',
  ].map((id) => `stateful.${id}`),
);

export const stateful: readonly Fault[] = [
  ...places,
  ...containers,
  ...discoveries,
  ...lives,
  ...meetings,
  ...staleWrites,
].map((fault) => (seenByScenarios.has(fault.id) ? fault : { ...fault, sequencesOnly: true }));
