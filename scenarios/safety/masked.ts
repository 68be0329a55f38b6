import { Redactor } from '../secrets/redactor.ts';
import { withSecretsLearnt } from '../secrets/secrets-of.ts';
import type { SafetyChoice } from './run-safety.ts';

/** An event of a run; the last one carries the result, which is also what the generator returns. */
type ReportedEvent = { readonly type: string; readonly result?: unknown };

/** A run as reporters see it: nothing that it yields, returns or throws holds a secret. */
export async function* masked<Event extends ReportedEvent, Result>(
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
    // A reported result is not masked a second time.
    return last !== undefined && last.result === step.value ? (last.masked as Result) : redactor.value(step.value);
  } catch (error) {
    throw redactor.error(error);
  } finally {
    // For a reader that goes away early; without effect on a run that is over.
    await events.return(undefined as never);
  }
}

/** Options of a run that hold secrets, or have to know them. */
interface SecretOptions {
  readonly target: Parameters<typeof withSecretsLearnt>[0];
  readonly safety?: SafetyChoice | undefined;
}

/** Learns the secrets of the target, and passes all to the run, which writes to disk. */
export function withKnownSecrets<G extends SecretOptions>(options: G, redactor: Redactor): G {
  const { target, safety } = options;
  return {
    ...options,
    target: withSecretsLearnt(target, redactor),
    ...(safety && { safety: { ...safety, secrets: redactor.secrets } }),
  };
}

/** A run on one target as reporters see it. */
export async function* maskedRun<
  Options extends SecretOptions & { readonly secrets?: readonly string[] },
  Event extends ReportedEvent,
  Result,
>(run: (options: Options) => AsyncGenerator<Event, Result>, options: Options): AsyncGenerator<Event, Result> {
  const redactor = new Redactor(options.secrets);
  return yield* masked(run(withKnownSecrets(options, redactor)), redactor);
}
