/** Exchanges found in a capture. */

import type { Exchange, SentRequest, WireFacts, WireName } from '../engine/results/exchange.ts';
import type { Packet } from './packets.ts';

export interface CapturedExchange {
  readonly exchange: Exchange;
  /** Number of its first packet. */
  readonly packet: number;
  /** Milliseconds since 1970 UTC; Infinity if it did not end. */
  readonly from: number;
  readonly to: number;
  /** Whether both bodies are complete. */
  readonly isWhole: boolean;
  /** Origin of the CSE; over MQTT with its CSE-ID, since the server may have several. */
  readonly origin: string;
  /** Present for notifications: `origin` is then the receiver, and there is no answer. */
  readonly notified?: NotifiedOver;
}

/** Sender of a notification, if known, and facts of a binding other than HTTP. */
export interface NotifiedOver {
  readonly sender?: string;
  readonly wire?: WireFacts;
}

export type OnCaptured = (captured: CapturedExchange) => void;

/** A request whose answer may still come. */
export interface PendingRequest {
  readonly request: SentRequest;
  readonly first: Packet;
  readonly origin: string;
}

/** An exchange from its first packet to its last; without `last` it did not end. */
export function capturedOf(
  { request, answer }: Pick<Exchange, 'request' | 'answer'>,
  {
    first,
    last,
    origin,
    isWhole = true,
  }: Pick<PendingRequest, 'first' | 'origin'> & { last: Packet | undefined; isWhole?: boolean },
): CapturedExchange {
  const to = last?.at ?? Number.POSITIVE_INFINITY;
  const took = last === undefined ? 0 : Math.max(0, to - first.at);
  const exchange = { request, ...(answer && { answer }), at: first.at, took, curl: '' };
  return { exchange, packet: first.number, from: first.at, to, origin, isWhole: isWhole && answer !== undefined };
}

/** A notification of a CSE; `facts`: for rules about its binding. */
export function notificationOver(
  binding: WireName,
  { request, first, origin }: PendingRequest,
  facts: object,
  sender?: string,
): CapturedExchange {
  const wire = { binding, asked: {}, requests: [facts] } as WireFacts;
  const notified = { wire, ...(sender !== undefined && { sender }) };
  return { ...capturedOf({ request }, { first, last: first, origin }), isWhole: true, notified };
}

/** Stands for missing packets, which may have been anything. */
export const lostIn = (packet: Packet, origin: string): CapturedExchange =>
  capturedOf(
    { request: { method: '(missing)', path: '', headers: [], exactBytes: true } },
    { first: packet, last: packet, origin },
  );

/** The origin in the description of its interface, else the address that the client used. */
export function originOf(scheme: string, host: string, { url }: Packet): string {
  const { protocol, host: own } = new URL(url ?? `${scheme}://${host}`);
  return `${protocol}//${own}`;
}
