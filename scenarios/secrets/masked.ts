import type { RunEvent, RunResult } from '../engine/result.ts';
import type { Redactor } from './redactor.ts';

/** A run as reporters see it: nothing that it yields, returns or throws holds a secret. */
export async function* masked(
  events: AsyncGenerator<RunEvent, RunResult>,
  redactor: Redactor,
): AsyncGenerator<RunEvent, RunResult> {
  let last: RunResult | undefined;
  try {
    let step = await events.next();
    for (; !step.done; step = await events.next()) {
      const event = redactor.value(step.value);
      if (event.type === 'run finished') last = event.result;
      yield event;
    }
    return last ?? redactor.value(step.value);
  } catch (error) {
    throw redactor.error(error);
  } finally {
    // For a reader that goes away early; without effect on a run that is over.
    await events.return(undefined as never);
  }
}
