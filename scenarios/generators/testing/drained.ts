/** For tests: what a run that tells events comes to. */
export async function drained<Event, Result>(
  events: AsyncGenerator<Event, Result>,
  onEvent: (event: Event) => void = () => {},
): Promise<Result> {
  let step = await events.next();
  for (; !step.done; step = await events.next()) onEvent(step.value);
  return step.value;
}
