/** How a test observes and controls a CSE, beside sending requests. */

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
  /** A view of the resources: `pair.gateway.tree.get('App/temperature').latest?.content`. */
  readonly tree: TreeView;
  /** Requests received by the CSE, with its answers. */
  readonly requests: RequestJournal;
  /** Requests sent by the CSE (notifications, announcements, forwarded requests, its registration), with their answers. */
  readonly sent: RequestJournal;
  /**
   * Seeds the CSE with a tree: an object, a YAML file, or `building`, `fleet` or `meters` of the package. Resolves to the number of
   * resources. Rejects with a TreeFileError that locates each problem; resources before an error exist then.
   */
  seed(tree: TreeName | OtherText | SeedTree): Promise<number>;
  /** The present tree, as a plain JSON value. */
  snapshot(): Snapshot;
  /** Restores a snapshot of this CSE. Pending notifications are not sent any more. Throws a SnapshotError, and changes nothing, for one that does not fit. */
  restore(snapshot: Snapshot): void;
  /** Switches deviations on: written ones by their ids, or rows as data. Throws an UnknownDeviationError, and for an unknown word of a row a TypeError, that names the nearest. */
  deviate(...deviations: readonly DeviationChoice[]): void;
  /** Switches off all that `deviate` has switched on. */
  clearDeviations(): void;
  /** Ids of the deviations that `deviate` has switched on. */
  activeDeviations(): readonly string[];
  /** An inbox for notifications of this CSE, in memory: it opens no port. */
  openInbox(): Inbox;
  /**
   * Starts simulated devices that push values by the clock of the CSE: a YAML file or an object. Ends with the CSE, or by `stop`.
   * Rejects with a WorkloadFileError that locates each problem.
   */
  startWorkload(plan: string | WorkloadPlan, options?: WorkloadOptions): Promise<Workload>;
  /** Ends all simulated devices that `startWorkload` has started. */
  stopWorkload(): void;
}

export interface Controlled {
  /** Changes with a restore. */
  readonly core: () => Cse;
  /** The wrapped service. */
  readonly service: HttpService;
  readonly clock: Scheduler;
  readonly restore: (snapshot: Snapshot) => void;
}

/** `stopWorkload` ends everything that it starts. */
export function controlsOf(instruments: Instruments, cse: Controlled): CseControls {
  const { deviations, outbound, requests, sent } = instruments;
  const running = new Set<Workload>();
  let inboxes = 0;
  // Methods, since each function named by assignment costs a CSE 250 bytes when it runs from the sources.
  return {
    ...{ requests, sent, restore: cse.restore },
    tree: new TreeView(cse.core),
    snapshot() {
      return takeSnapshot(cse.core());
    },
    async seed(tree) {
      // Loaded on use: YAML and its form cost more to load than a CSE.
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
