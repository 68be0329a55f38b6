import { listenedTo } from '../traffic/listen-mqtt.ts';
import { type Proxy as Listening, type ProxyOptions, passedIn } from './proxy.ts';

/** Hears what others ask of a CSE at its MQTT server; nothing is published. Rejects with a UsageError for a server that cannot be heard. */
export async function hearMqtt({ target, onPassed, onLost }: ProxyOptions): Promise<Listening> {
  const { url, cseId } = target.description;
  const { protocol, host } = new URL(url);
  const over = new AbortController();
  const others = new Set<string>();
  const hear = async (onReady: () => void) => {
    for await (const one of listenedTo(url, { until: over.signal, onReady })) {
      const passed = passedIn(one);
      const isOther = one.origin !== `${protocol}//${host}/${cseId}`;
      if (isOther && passed !== undefined && !others.has(one.origin))
        onLost(`what is asked of ${one.origin} is not recorded; --cse-id names another CSE than ${cseId}`);
      if (isOther) others.add(one.origin);
      else if (passed !== undefined) onPassed(passed);
    }
  };
  let heard: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    heard = hear(resolve);
    heard.catch(reject);
  });
  const close = () => {
    over.abort();
    return heard;
  };
  return { url: `${protocol}//${host}`, close };
}
