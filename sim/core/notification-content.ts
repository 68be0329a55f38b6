/** What a notification says (TS-0004, clause 7.5.1): written once for an event, whatever the number of subscriptions. */
import type { CseConfiguration } from './configuration.ts';
import { type Event, eventTypes } from './notification-criteria.ts';
import { JsonText, representation } from './representation.ts';
import type { Resource } from './resource.ts';

/** `notificationContentType` of TS-0004. */
const modifiedAttributes = 2;
const resourceIdentifier = 3;

/** The representations of one event, each written when the first subscription asks for it. */
export class EventContent {
  readonly #event: Event;
  readonly #configuration: CseConfiguration;
  readonly #written = new Map<number, string>();

  constructor(event: Event, configuration: CseConfiguration) {
    this.#event = event;
    this.#configuration = configuration;
  }

  /** `{"nev":{…},"sur":…}` for a subscription, as JSON. */
  notification(subscription: Resource, reference: string): string {
    const contentType = typeof subscription.values.nct === 'number' ? subscription.values.nct : 1;
    const known = this.#written.get(contentType) ?? this.#write(contentType);
    this.#written.set(contentType, known);
    const { cr } = subscription.values;
    const creator = cr === undefined ? '' : `,"cr":${JSON.stringify(cr)}`;
    return `{"nev":{"net":${this.#event.type},"rep":${known}},"sur":${JSON.stringify(reference)}${creator}}`;
  }

  #write(contentType: number): string {
    const { subject, type } = this.#event;
    const { dialect } = this.#configuration;
    if (contentType === resourceIdentifier) return JSON.stringify({ 'm2m:uri': subject.id });
    const partly = contentType === modifiedAttributes || type === eventTypes.blockingUpdate;
    return partly && this.#event.changed !== undefined
      ? JSON.stringify(this.#modified(this.#event.changed))
      : representation(subject, dialect).text;
  }

  /** The attributes that have changed, the time of it among them; null for one that has gone. */
  #modified(changed: readonly string[]): unknown {
    const { subject } = this.#event;
    const { dialect } = this.#configuration;
    const shown: Record<string, unknown> = {};
    for (const name of [...changed, 'lt', 'st']) {
      const definition = subject.type.attributes[name];
      if (definition === undefined) continue;
      const value = definition.from === undefined ? subject.values[name] : definition.from(subject);
      shown[name] = value === undefined ? null : dialect.write(definition.type, value);
    }
    return { [subject.type.root]: shown };
  }
}

/** One notification, or several in one. */
export function notificationOf(parts: readonly string[], aggregated: boolean): JsonText {
  if (aggregated) return new JsonText(`{"m2m:agn":{"m2m:sgn":[${parts.join(',')}]}}`);
  return new JsonText(`{"m2m:sgn":${parts[0] ?? '{}'}}`);
}

/** What is said before the first event, and after the last one. */
export function messageOf(
  subscription: Resource,
  reference: string,
  what: 'vrq' | 'sud',
  originator?: string,
): JsonText {
  const creator = originator ?? subscription.values.cr;
  return new JsonText(
    JSON.stringify({
      'm2m:sgn': { [what]: true, sur: reference, ...(creator !== undefined && { cr: creator }) },
    }),
  );
}

/**
 * How the subscription is called in what is sent to a target. In the documented dialect by its path, in the form in which the
 * target is written (deployed applications compare it with the path that they used); else by its SP-relative identifier.
 */
export function referenceTo(subscription: Resource, target: string, configuration: CseConfiguration): string {
  const { dialect, cseId, spId } = configuration;
  if (dialect.identifiers === 'random') return `/${cseId}/${subscription.id}`;
  if (target.startsWith('//')) return `//${spId}/${cseId}/${subscription.path}`;
  return target.startsWith('/') ? `/${cseId}/${subscription.path}` : subscription.path;
}
