/** How the registrations of CSEs at others change. */
import type { ToldNode, UpEvent } from './event.ts';

type Change = Extract<UpEvent, { event: 'registration' }>;

/** Each call returns what is different from the call before; the first one returns all. */
export function registrationChanges(nodes: readonly ToldNode[]): () => Change[] {
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
