import { headersOf, isObject, jsonOf, onlyKey } from '../basics/body.ts';
import { ownValue } from '../basics/own-value.ts';
import type { NotificationKind } from '../grammar/grammar-step.ts';
import type { ReceivedRequest } from '../results/exchange.ts';

/** A notification as checks look at it. What is not there is undefined. */
export interface NotificationView {
  /** `other`: nothing that the standard calls a notification. */
  readonly kind: NotificationKind | 'other';
  readonly event: unknown;
  /** The only key of the representation; where there is none, that of the body. */
  readonly root: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>> | undefined;
  readonly subscription: unknown;
  readonly creator: unknown;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: unknown;
  /** The first line of what is no well-formed HTTP request. */
  readonly malformed: string | undefined;
}

/** Reads what came to an inbox (TS-0004 7.5.1.2, 7.5.1.1); `malformed` is the text of what is no HTTP. */
export function viewOfNotification(request: ReceivedRequest, malformed?: string): NotificationView {
  const body = jsonOf(request.body ?? '');
  const root = onlyKey(body);
  const inner = objectIn(body, root);
  const single = root === 'm2m:agn' ? firstOf(inner?.['m2m:sgn']) : root === 'm2m:sgn' ? inner : undefined;
  const event = objectIn(single, 'nev');
  const shown = single === undefined ? body : event?.rep;
  return {
    kind: kindOf(root, single),
    event: event?.net,
    root: onlyKey(shown),
    attributes: objectIn(shown, onlyKey(shown)),
    subscription: single?.sur,
    creator: single?.cr,
    path: request.path,
    headers: headersOf(request),
    body,
    malformed: malformed?.split(/\r?\n/)[0],
  };
}

function kindOf(root: string | undefined, single: Fields | undefined): NotificationView['kind'] {
  if (root === 'm2m:agn') return 'aggregate';
  if (root === 'm2m:rsp') return 'response';
  if (single === undefined) return 'other';
  if (single.vrq === true) return 'verification';
  if (single.sud === true) return 'deletion';
  return single.nev === undefined ? 'other' : 'event';
}

type Fields = Readonly<Record<string, unknown>>;

function firstOf(list: unknown): Fields | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isObject(first) ? first : undefined;
}

function objectIn(value: unknown, key: string | undefined): Fields | undefined {
  const inner = key !== undefined && isObject(value) ? ownValue(value, key) : undefined;
  return isObject(inner) ? inner : undefined;
}
