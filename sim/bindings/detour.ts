/** Another way for an exchange than straight through the binding: where the wire is broken on purpose. */
import type { ServerResponse } from 'node:http';
import type { HttpRequest, HttpResponse } from '../dialects/http-message.ts';

/** What the one who takes an answer on its way can do with it. */
export interface DetouredExchange {
  readonly response: ServerResponse;
  /** Writes an answer as the binding does for every other request. */
  readonly write: (answer: HttpResponse) => void;
  /** Ends the TCP connection by a reset, also where TLS runs over it. */
  readonly reset: () => void;
}

export interface Detour {
  /** False: the service never hears of the request. */
  readonly isServed: boolean;
  /** Takes the answer, now or later, to the client or not; it is undefined where the service was not asked. */
  take(answer: HttpResponse | undefined, exchange: DetouredExchange): void;
}

/** Asked once for each complete request, in the order of their coming; undefined: it goes straight. */
export type DetourFor = (request: HttpRequest) => Detour | undefined;

// The same where an answer is a message of its own, as over MQTT, WebSocket and CoAP.

/** What whoever takes an answer on its way can do with it. */
export interface MessageWire {
  /** `left`: for whoever asks the server for it later, too. */
  readonly write: (payload: Uint8Array, how?: { readonly left: boolean }) => void;
  /** Ends the connection by a reset. */
  readonly reset: () => void;
  /** Ends the connection, where no message is lost but with it; absent where one can be lost alone. */
  readonly end?: () => void;
}

export interface MessageDetour {
  /** False: the service never hears of the request. */
  readonly isServed: boolean;
  /** Takes the answer to the server or not; it is undefined where the service was not asked, or wants none sent. */
  take(answer: Uint8Array | undefined, wire: MessageWire): void;
}

/** Asked once for each request, which says by which wire it came; undefined: it goes straight. */
export type MessageDetourFor = (request: HttpRequest) => MessageDetour | undefined;
