/** `--log json`: one object in each line of stdout, for programs. */
import type { RequestCounts, Teller, ToldNode, UpEvent } from './event.ts';

/** Milliseconds between two looks at registrations. */
const lookEvery = 1_000;
/** So many looks make a summary. */
const looksForSummary = 10;

export function jsonTeller(out: (text: string) => void, now: () => Date = () => new Date()): Teller {
  const tell = (event: UpEvent): void => out(`${JSON.stringify({ time: now().toISOString(), ...event })}\n`);
  let end = (): void => {};
  return {
    tell,
    greet() {},
    watch(nodes) {
      const look = looks(nodes, tell);
      const timer = setInterval(look, lookEvery);
      end = () => clearInterval(timer);
    },
    end: () => end(),
  };
}

/** Tells at once how registrations stand. Each call of what it returns looks again; each tenth call also sums up what happened. */
export function looks(nodes: readonly ToldNode[], tell: (event: UpEvent) => void): () => void {
  const changes = registrationChanges(nodes);
  for (const change of changes()) tell(change);
  const summaries = nodes.map((node) => summaryOf(node, tell));
  let left = looksForSummary;
  return () => {
    for (const change of changes()) tell(change);
    left -= 1;
    if (left > 0) return;
    left = looksForSummary;
    for (const sumUp of summaries) sumUp();
  };
}

/** Of what has happened since it was called last; nothing where nothing has. */
function summaryOf({ cse, activity }: ToldNode, tell: (event: UpEvent) => void): () => void {
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
      tell({ event: 'summary', cse, seconds, ...since, ...activity.census() });
    }
  };
}

/** How the registrations of CSEs at others change. */
type Change = Extract<UpEvent, { event: 'registration' }>;

/** Each call returns what is different from the call before; the first one returns all. */
function registrationChanges(nodes: readonly ToldNode[]): () => Change[] {
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
