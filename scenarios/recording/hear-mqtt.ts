import type { CapturedExchange } from '../captures/captured.ts';
import { listenTo } from '../traffic/listen-mqtt.ts';
import { type Proxy as Listening, type ProxyOptions, passedIn } from './proxy.ts';
import { notifiedIn } from './relay.ts';

/** Listens to requests to a CSE at its MQTT server; publishes nothing. Rejects with a UsageError if it cannot subscribe. */
export async function hearMqtt(options: ProxyOptions): Promise<Listening> {
  const { url, cseId } = options.target.description;
  const { protocol, host } = new URL(url);
  const over = new AbortController();
  const receive = receiverOf(`${protocol}//${host}/${cseId}`, options);
  const hear = async (onReady: () => void) => {
    for await (const one of listenTo(url, { until: over.signal, onReady })) receive(one);
  };
  let listening: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    listening = hear(resolve);
    listening.catch(reject);
  });
  const close = () => {
    over.abort();
    return listening;
  };
  return { url: `${protocol}//${host}`, close };
}

/** Receives requests to a CSE, and its notifications. */
function receiverOf(own: string, options: ProxyOptions): (one: CapturedExchange) => void {
  const { target, onPassed, onNotified, onLost } = options;
  const others = new Set<string>();
  return (one) => {
    const [passed, notified] = [passedIn(one), notifiedIn(one)];
    // The publisher at a topic from `nu` is unknown.
    if (notified !== undefined && (one.notified?.sender ?? own) === own) onNotified?.(notified);
    if (passed === undefined) return;
    if (one.origin === own) return onPassed(passed);
    if (!others.has(one.origin))
      onLost(
        `requests to ${one.origin} are not recorded; --cse-id selects another CSE than ${target.description.cseId}`,
      );
    others.add(one.origin);
  };
}
