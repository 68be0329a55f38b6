import { Redactor } from '../secrets/redactor.ts';
import { withSecretsLearnt } from '../secrets/secrets-of.ts';
import type { SafetyChoice } from './run-safety.ts';

/** What is told as it happens; the last event carries the result, which is also what the generator returns. */
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
    // What was told already is not gone through a second time.
    return last !== undefined && last.result === step.value ? (last.masked as Result) : redactor.value(step.value);
  } catch (error) {
    throw redactor.error(error);
  } finally {
    // For a reader that goes away early; without effect on a run that is over.
    await events.return(undefined as never);
  }
}

/** What a run on a target is given that holds secrets, or has to know them. */
interface SecretOptions {
  readonly target: Parameters<typeof withSecretsLearnt>[0];
  readonly safety?: SafetyChoice | undefined;
}

/** The secrets of the target are learnt, and the run that writes to disk knows all of them. */
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
