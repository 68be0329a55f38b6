/** `--log json`: one object in each line of stdout, for programs. */
import type { RequestCounts, RunningNode, UpEvent, UpOutput } from './event.ts';

/** Milliseconds between two checks of registrations. */
const checkInterval = 1_000;
/** Checks between two summaries. */
const checksForSummary = 10;

export function jsonOutput(out: (text: string) => void, now: () => Date = () => new Date()): UpOutput {
  const report = (event: UpEvent): void => out(`${JSON.stringify({ time: now().toISOString(), ...event })}\n`);
  let end = (): void => {};
  return {
    report,
    greet() {},
    watch(nodes) {
      const check = registrationWatch(nodes, report);
      const timer = setInterval(check, checkInterval);
      end = () => clearInterval(timer);
    },
    end: () => end(),
  };
}

/** Reports registrations at once, and changes with each call of the returned function; each tenth call also reports summaries. */
export function registrationWatch(nodes: readonly RunningNode[], report: (event: UpEvent) => void): () => void {
  const changes = registrationChanges(nodes);
  for (const change of changes()) report(change);
  const summaries = nodes.map((node) => summaryOf(node, report));
  let left = checksForSummary;
  return () => {
    for (const change of changes()) report(change);
    left -= 1;
    if (left > 0) return;
    left = checksForSummary;
    for (const sumUp of summaries) sumUp();
  };
}

/** Reports the activity since the last call, if any. */
function summaryOf({ cse, activity }: RunningNode, report: (event: UpEvent) => void): () => void {
  let former = activity.counts;
  let began = performance.now();
  return () => {
    const { counts } = activity;
    const names = Object.keys(counts) as (keyof RequestCounts)[];
    const changes = names.map((name) => [name, counts[name] - former[name]]);
    const since = Object.fromEntries(changes) as Record<keyof RequestCounts, number>;
    const seconds = Math.round((performance.now() - began) / 1000);
    [former, began] = [counts, performance.now()];
    if (Object.values(since).some((count) => count > 0)) {
      report({ event: 'summary', cse, seconds, ...since, ...activity.census() });
    }
  };
}

/** A change of a registration. */
type Change = Extract<UpEvent, { event: 'registration' }>;

/** Each call returns the changes since the last; the first one returns all. */
function registrationChanges(nodes: readonly RunningNode[]): () => Change[] {
  const former = new Map<string, string>();
  return () =>
    nodes.flatMap(({ cse, node }) =>
      node.registrations
        .map(
          ({ remote, registered, problem }): Change => ({
            ...{ event: 'registration', cse, at: remote, registered },
            ...(problem !== undefined && { problem }),
          }),
        )
        .filter((change) => {
          const [key, state] = [`${cse} ${change.at}`, JSON.stringify(change)];
          const isNew = former.get(key) !== state;
          former.set(key, state);
          return isNew;
        }),
    );
}
