/** What rows have told besides to subscriptions, which is none of the CSE's own notifications. */
import { JsonText } from '../../core/representation.ts';
import type { Exchange } from './exchange.ts';
import { matches, type Pattern } from './pattern.ts';
import { type Attributes, isObject } from './scope.ts';
import { changedBy, type Term, valueFor } from './term.ts';

export interface Notify {
  /** A list of subscriptions, or one; those of the target unless given. */
  readonly those?: Term;
  /** Those of them that want this type of event, which is then the one that they are told of. */
  readonly event?: number;
  /** What they are like. */
  readonly like?: Pattern;
  /** What is told of the event. */
  readonly rep?: Term;
  /** What is told in place of an event. */
  readonly signal?: Attributes;
}

/** Tells the first target of each subscription. Who cannot be reached is not told. */
export function notify({ core, scope }: Exchange, { those, event, like, rep, signal }: Notify): void {
  const { services, configuration } = core;
  const subscriptions = [valueFor(those ?? '$target.subscriptions', scope)].flat().filter(isObject);
  const told = signal ? changedBy(signal, {}, scope) : { nev: { net: event, rep: valueFor(rep, scope) } };
  for (const one of subscriptions) {
    if (!wants(one, event) || (like !== undefined && !matches(one, like, scope))) continue;
    const content = { 'm2m:sgn': { ...told, sur: `/${configuration.cseId}/${one.ri}` } };
    const [target] = Array.isArray(one.nu) ? one.nu : [];
    services.notifier.passOn(String(target), new JsonText(JSON.stringify(content))).catch(() => {});
  }
}

function wants({ enc }: Attributes, event: number | undefined): boolean {
  return event === undefined || (isObject(enc) && Array.isArray(enc.net) && enc.net.includes(event));
}
