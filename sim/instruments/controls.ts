/** What a test sees of a CSE and does to it, beside sending requests. */

import type { Cse } from '../core/operations/cse.ts';
import { type Snapshot, takeSnapshot } from '../core/operations/snapshot.ts';
import type { DeviationChoice } from '../deviations/applying.ts';
import { inLowerCase } from '../dialects/body.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Scheduler } from '../environment/clock.ts';
import type { OtherText } from '../environment/defined.ts';
import { Inbox } from '../inbox/inbox.ts';
import type { RequestJournal } from '../journal/journal.ts';
import type { SeedTree, TreeName } from '../seeding/seed-tree.ts';
import { TreeView } from '../tree-view/tree-view.ts';
import type { Workload, WorkloadOptions } from '../workload/workload.ts';
import type { WorkloadPlan } from '../workload/workload-form.ts';
import type { Instruments } from './instruments.ts';

export interface CseControls {
  /** The resources, to look at: `pair.gateway.tree.get('App/temperature').latest?.content`. */
  readonly tree: TreeView;
  /** What came to the CSE, and what it answered. */
  readonly requests: RequestJournal;
  /** What the CSE itself has sent (notifications, announcements, requests handed on, its registration), and what was answered. */
  readonly sent: RequestJournal;
  /**
   * Fills the CSE with a tree: an object, a YAML file, or `building`, `fleet` or `meters` of the package. Resolves to the number of
   * resources. Rejects with a TreeFileError that names each place; what stands before a mistake is there then.
   */
  seed(tree: TreeName | OtherText | SeedTree): Promise<number>;
  /** The tree as it is, as a plain JSON value. */
  snapshot(): Snapshot;
  /** Goes back to a snapshot of this CSE. Notifications under way are not sent any more. Throws a SnapshotError, and changes nothing, for one that does not fit. */
  restore(snapshot: Snapshot): void;
  /** Switches deviations on: written ones by their ids, or rows as data. Throws an UnknownDeviationError that names the nearest. */
  deviate(...deviations: readonly DeviationChoice[]): void;
  /** Switches off what `deviate` has switched on. */
  clearDeviations(): void;
  /** Ids of what `deviate` has switched on. */
  activeDeviations(): readonly string[];
  /** An inbox for notifications of this CSE, in memory: it opens no port. */
  openInbox(): Inbox;
  /**
   * Simulated devices push values from now on, by the clock of the CSE: a YAML file or an object. Ends with the CSE, or by `stop`.
   * Rejects with a WorkloadFileError that names each place.
   */
  startWorkload(plan: string | WorkloadPlan, options?: WorkloadOptions): Promise<Workload>;
  /** Ends all simulated devices that `startWorkload` has started. */
  stopWorkload(): void;
}

export interface Controlled {
  /** Another one after a restore. */
  readonly core: () => Cse;
  /** By which requests come, with everything around it. */
  readonly service: HttpService;
  readonly clock: Scheduler;
  readonly restore: (snapshot: Snapshot) => void;
}

/** What goes on by itself ends by `stopWorkload`. */
export function controlsOf(instruments: Instruments, cse: Controlled): CseControls {
  const { deviations, outbound, requests, sent } = instruments;
  const running = new Set<Workload>();
  let inboxes = 0;
  // Written as methods: each function that gets a name by an assignment costs a CSE 250 bytes when it runs from the sources.
  return {
    ...{ requests, sent, restore: cse.restore },
    tree: new TreeView(cse.core),
    snapshot() {
      return takeSnapshot(cse.core());
    },
    async seed(tree) {
      // Loaded for those who have trees: YAML and its form cost more to load than a CSE.
      const { seedTree } = await import('../seeding/tree-file.ts');
      return seedTree({ core: cse.core() }, tree);
    },
    deviate(...choices) {
      deviations.add(choices);
    },
    clearDeviations() {
      deviations.clear();
    },
    activeDeviations() {
      return deviations.ids;
    },
    openInbox() {
      const url = `http://inbox-${++inboxes}.in-process`;
      const inbox = new Inbox({ url, clock: cse.clock, onClose: () => outbound.disconnect(url) });
      outbound.receive(url, ({ target, headers, body = '' }) => {
        return { status: 200, headers: inbox.receive({ target, headers: inLowerCase(headers), body }), body: '' };
      });
      return inbox;
    },
    async startWorkload(plan, options) {
      const { startWorkload } = await import('../workload/workload.ts');
      const workload = await startWorkload(cse, plan, options);
      running.add(workload);
      return workload;
    },
    stopWorkload() {
      for (const workload of running) workload.stop();
      running.clear();
    },
  };
}
