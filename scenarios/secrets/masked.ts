import type { Redactor } from './redactor.ts';

/** What is told as it happens; the last event carries the result, which is also what the generator returns. */
type Told = { readonly type: string; readonly result?: unknown };

/** A run as reporters see it: nothing that it yields, returns or throws holds a secret. */
export async function* masked<Event extends Told, Result>(
  events: AsyncGenerator<Event, Result>,
  redactor: Redactor,
): AsyncGenerator<Event, Result> {
  let last: { readonly result: unknown; readonly masked: unknown } | undefined;
  try {
    let step = await events.next();
    for (; !step.done; step = await events.next()) {
      const event = redactor.value(step.value);
      if (step.value.result !== undefined) last = { result: step.value.result, masked: event.result };
      yield event;
    }
    // What was told already is not gone through a second time.
    return last?.result === step.value ? (last.masked as Result) : redactor.value(step.value);
  } catch (error) {
    throw redactor.error(error);
  } finally {
    // For a reader that goes away early; without effect on a run that is over.
    await events.return(undefined as never);
  }
}
