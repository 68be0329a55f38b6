/** Exchanges as they are found in a capture. */

import type { Exchange, SentRequest, WireFacts, WireName } from '../engine/results/exchange.ts';
import type { Packet } from './packets.ts';

export interface CapturedExchange {
  readonly exchange: Exchange;
  /** In which it began. */
  readonly packet: number;
  /** Milliseconds since 1970 UTC; Infinity where it did not come to an end. */
  readonly from: number;
  readonly to: number;
  /** Whether both bodies are there as they were sent. */
  readonly isWhole: boolean;
  /** Of the CSE; over MQTT with its CSE-ID, since others are behind the same server. */
  readonly origin: string;
  /** Of what a CSE sent by itself; `origin` is then where it went, and no answer is read. */
  readonly notified?: NotifiedOver;
}

/** Of a notification: who sent it, as far as its place says so, and what its binding showed, beside HTTP. */
export interface NotifiedOver {
  /** The `origin` of a CSE. */
  readonly sender?: string;
  readonly wire?: WireFacts;
}

export type OnCaptured = (captured: CapturedExchange) => void;

/** An exchange from its first packet to its last; without `last` it came to no end. */
export function capturedOf(
  { request, answer }: Pick<Exchange, 'request' | 'answer'>,
  {
    first,
    last,
    origin,
    isWhole = true,
  }: { first: Packet; last: Packet | undefined; origin: string; isWhole?: boolean },
): CapturedExchange {
  const to = last?.at ?? Number.POSITIVE_INFINITY;
  const took = last === undefined ? 0 : Math.max(0, to - first.at);
  const exchange = { request, ...(answer && { answer }), at: first.at, took, curl: '' };
  return { exchange, packet: first.number, from: first.at, to, origin, isWhole: isWhole && answer !== undefined };
}

/** What a CSE sent; `facts`: as rules about a binding know them. */
export function notificationOver(
  binding: WireName,
  {
    request,
    facts,
    sender,
  }: { readonly request: SentRequest; readonly facts: object; readonly sender?: string | undefined },
  { packet, origin }: { readonly packet: Packet; readonly origin: string },
): CapturedExchange {
  const wire = { binding, asked: {}, requests: [facts] } as WireFacts;
  const notified = { wire, ...(sender !== undefined && { sender }) };
  return { ...capturedOf({ request }, { first: packet, last: packet, origin }), isWhole: true, notified };
}

/** Of what the capture does not hold: it may have been anything. */
export const lostIn = (packet: Packet, origin: string): CapturedExchange =>
  capturedOf(
    { request: { method: '(missing)', path: '', headers: [], exactBytes: true } },
    { first: packet, last: packet, origin },
  );

/** Where it was sent: as its interface is described, else by the address that the client itself named. */
export function originOf(scheme: string, host: string, { url }: Packet): string {
  const { protocol, host: own } = new URL(url ?? `${scheme}://${host}`);
  return `${protocol}//${own}`;
}
