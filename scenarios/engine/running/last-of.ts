/**
 * Reads the events of a run to their end, passing each to `onEvent`; resolves to the result of the run.
 *
 * ```ts
 * const { exit } = await lastOf(check({ target: { kind: 'in-process' } }));
 * ```
 */
export async function lastOf<Event, Result>(
  events: AsyncGenerator<Event, Result>,
  onEvent: (event: Event) => void = () => {},
): Promise<Result> {
  let step = await events.next();
  for (; !step.done; step = await events.next()) onEvent(step.value);
  return step.value;
}
