import { defined } from '../defined.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { HttpClient } from '../topology/client.ts';
import { changesOf, readCredentials } from './credentials.ts';
import type { ApplicationEntityOptions } from './options.ts';
import type { Tasks } from './tasks.ts';

/** Microseconds. */
const pauseBetweenLooks = 1_000_000;

/**
 * An HTTP or HTTPS client for one application. Certificates are replaced while it runs: the files are looked at before a
 * request, at most once a second of the clock. While they are unusable, for instance half written, the former ones are
 * presented, and `report` hears of it once for each change. Throws an ApplicationEntityError when the SSL parameters are
 * incomplete or do not fit.
 */
export function applicationClient(
  cse: URL,
  originator: string,
  parameters: ApplicationEntityOptions,
  { clock, report }: Tasks,
) {
  let [changes, lookedAt] = [changesOf(parameters), clock.now()];
  const read = () => readCredentials(cse, parameters, originator);
  const client = new HttpClient(defined({ tls: read(), timeout: parameters.timeout }));
  const lookAtFiles = (): void => {
    if (clock.now() - lookedAt < pauseBetweenLooks) return;
    lookedAt = clock.now();
    const latest = changesOf(parameters);
    if (latest === changes) return;
    changes = latest;
    try {
      client.renewTls(read() ?? {});
    } catch (error) {
      report(error);
    }
  };
  const send: Sender['send'] = (baseUrl, request) => {
    lookAtFiles();
    return client.send(baseUrl, request);
  };
  return { send, close: () => client.close() };
}
