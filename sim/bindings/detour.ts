/** Hooks by which the wire of an exchange is disturbed on purpose. */
import type { ServerResponse } from 'node:http';
import type { HttpRequest, HttpResponse } from '../dialects/http-message.ts';

/** What a detour can do with an answer. */
export interface DetouredExchange {
  readonly response: ServerResponse;
  /** Writes an answer as the binding does for every other request. */
  readonly write: (answer: HttpResponse) => void;
  /** Ends the TCP connection by a reset, also where TLS runs over it. */
  readonly reset: () => void;
}

export interface Detour {
  /** False: the request never reaches the service. */
  readonly isServed: boolean;
  /** Delivers the answer, now or later, or drops it; it is undefined where the service got no request. */
  take(answer: HttpResponse | undefined, exchange: DetouredExchange): void;
}

/** Called once for each complete request, in their order; undefined: no detour. */
export type DetourFor = (request: HttpRequest) => Detour | undefined;

// The same where an answer is a message of its own, as over MQTT, WebSocket and CoAP.

/** The same for a message. */
export interface MessageWire {
  /** `retained`: the server keeps it for later subscribers, too. */
  readonly write: (payload: Uint8Array, how?: { readonly retained: boolean }) => void;
  /** Ends the connection by a reset. */
  readonly reset: () => void;
  /** Ends the connection, where a message is lost only with it; absent where one can be lost alone. */
  readonly end?: () => void;
}

export interface MessageDetour {
  /** False: the request never reaches the service. */
  readonly isServed: boolean;
  /** Delivers or drops the answer; it is undefined where the service got no request, or sends none. */
  take(answer: Uint8Array | undefined, wire: MessageWire): void;
}

/** Called once for each request, which has its wire; undefined: no detour. */
export type MessageDetourFor = (request: HttpRequest) => MessageDetour | undefined;
