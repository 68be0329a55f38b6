import type { CapturedExchange } from '../captures/captured.ts';
import { listenTo } from '../traffic/listen-mqtt.ts';
import { type Proxy as Listening, type ProxyOptions, passedIn } from './proxy.ts';
import { notifiedIn } from './relay.ts';

/** Hears what others ask of a CSE at its MQTT server; nothing is published. Rejects with a UsageError for a server that cannot be heard. */
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

/** Takes what is asked of a CSE, and what it notifies. */
function receiverOf(own: string, options: ProxyOptions): (one: CapturedExchange) => void {
  const { target, onPassed, onNotified, onLost } = options;
  const others = new Set<string>();
  return (one) => {
    const [passed, notified] = [passedIn(one), notifiedIn(one)];
    // At a topic that nu names nobody says who publishes.
    if (notified !== undefined && (one.notified?.sender ?? own) === own) onNotified?.(notified);
    if (passed === undefined) return;
    if (one.origin === own) return onPassed(passed);
    if (!others.has(one.origin))
      onLost(
        `what is asked of ${one.origin} is not recorded; --cse-id names another CSE than ${target.description.cseId}`,
      );
    others.add(one.origin);
  };
}
