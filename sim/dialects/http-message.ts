/** What HTTP bindings pass to a dialect and get back; no binding knows more of the CSE than this. */
import type { Operation } from '../core/primitive.ts';
import type { CseError } from '../core/status.ts';

/** The method for each operation. */
export const methodOf: Readonly<Record<Operation, string>> = {
  ...{ create: 'POST', retrieve: 'GET', update: 'PUT', delete: 'DELETE', notify: 'POST' },
};

/** The protocol that carries a message. */
export type Wire = 'http' | 'mqtt' | 'ws' | 'coap';

/** The sender of a request according to TLS. */
export interface Peer {
  /** URIs of the subjectAltName of the client's verified certificate; undefined when it presented none. */
  readonly uris: readonly string[] | undefined;
}

export interface HttpRequest {
  readonly method: string;
  /** Request target in origin form: raw path and query, percent-encoding untouched. */
  readonly target: string;
  /** Names in lower case; repeated headers joined with ", ". */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty when the request has no body. */
  readonly body: Uint8Array;
  /** Absent without TLS between sender and service. */
  readonly peer?: Peer;
  /** IP address of the sender, if it came over a network. */
  readonly address?: string;
  /** `http` unless given. */
  readonly wire?: Wire;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when the answer has no body; bytes unless text (CBOR). */
  readonly body: string | Uint8Array;
  /** A deviation in how a wire other than HTTP carries it. */
  readonly carried?: string;
}

/** An answer as written by a CSE. Wrappers of its service turn it into another one, about which nothing is known. */
export class WrittenAnswer implements HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly #isJson: boolean;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.#isJson = typeof body === 'string';
  }

  /** Whether its body, if any, is JSON that reading and writing would leave unchanged to the letter. */
  static isJson(answer: HttpResponse): boolean {
    return #isJson in answer && answer.#isJson;
  }
}

/** One CSE behind one dialect of the HTTP binding. */
export interface HttpService {
  /**
   * Never throws or rejects: every refusal is an answer. The answer is synchronous unless another entity must be
   * asked first. Answers HEAD like GET; the binding leaves out the body.
   */
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
  /** Origins whose pages may use it over a server; none unless given. */
  readonly cors?: readonly string[];
  /** The answer to a request that the binding itself refuses. */
  refuse(error: CseError): HttpResponse;
}

/** Hands everything to the service of the moment. */
export function forwardingTo(service: () => HttpService): HttpService {
  return {
    handle(request) {
      return service().handle(request);
    },
    refuse(error) {
      return service().refuse(error);
    },
  };
}
