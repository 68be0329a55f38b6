/** What every HTTP binding hands to a dialect and gets back; no binding knows more of the CSE than this. */
import type { Operation } from '../core/primitive.ts';
import type { CseError } from '../core/status.ts';

/** The method by which an operation is sent. */
export const methodOf: Readonly<Record<Operation, string>> = {
  ...{ create: 'POST', retrieve: 'GET', update: 'PUT', delete: 'DELETE', notify: 'POST' },
};

/** What a message travels by. */
export type Wire = 'http' | 'mqtt' | 'ws' | 'coap';

/** What TLS says of the sender of a request. */
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
  /** Absent where no TLS server stands between sender and service. */
  readonly peer?: Peer;
  /** IP address of the sender, where it came over a network. */
  readonly address?: string;
  /** By which it came; `http` unless given. */
  readonly wire?: Wire;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when the answer has no body; bytes where it is no text (CBOR). */
  readonly body: string | Uint8Array;
  /** How another wire than HTTP carries it wrongly, where a deviation says so. */
  readonly carried?: string;
}

/** An answer as a CSE has written it. Whatever stands around its service makes another one of it, of which nothing is known. */
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

  /** Whether its body, if there is one, is JSON to the letter that it would have if it were read and written again. */
  static isJson(answer: HttpResponse): boolean {
    return #isJson in answer && answer.#isJson;
  }
}

/** One CSE behind one dialect of the HTTP binding. */
export interface HttpService {
  /**
   * Never throws or rejects: every refusal is an answer. The answer comes in the same turn unless somebody else has to be
   * asked first. Answers HEAD like GET; the binding leaves out the body.
   */
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
  /** Origins whose pages may use it when a server answers for it; none unless given. */
  readonly cors?: readonly string[];
  /** The answer for a request that the binding itself refuses. */
  refuse(error: CseError): HttpResponse;
}
