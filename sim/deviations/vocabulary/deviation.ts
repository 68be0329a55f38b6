import type { ServerResponse } from 'node:http';
import type { DefectName } from '../../../certs/pki.ts';
import type { Cse } from '../../core/operations/cse.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { Sender } from '../../dialects/outgoing-message.ts';

/** One way in which a CSE can break what the interface documents put around its HTTP service or around what it sends. */
export interface WrittenDeviation {
  /** The part of the interface, then what is wrong with it: `ae.aei.missing`. */
  readonly id: string;
  /** The requirement that a CSE with it does not keep. */
  readonly violates: string;
  /** Requirements that it cannot help but break as well, such as those about what an attribute holds that is missing. */
  readonly also?: readonly string[];
  /** Why no client can see it, in a sentence: it is no deviation, and is kept to say so. */
  readonly equivalent?: string;
  /** Shows only in sequences of requests such as generators make: no scenario is expected to see it. */
  readonly sequencesOnly?: true;
  /** Everything that it does, in one sentence. */
  readonly says: string;
  /** A service of its own, with a state of its own where it needs one. */
  readonly wrap?: Wrap;
  /** The CSE presents the certificate made to be refused in this way, instead of its own. */
  readonly presents?: DefectName;
  /** Whether a connection is taken on which TLS objects so to the client's certificate: node's code, such as `CERT_HAS_EXPIRED`. */
  readonly overlooks?: (objection: string) => boolean;
  /** What goes wrong below HTTP, over a socket only: whether it has written the answer, which else is written as it is. */
  readonly writes?: (answer: HttpResponse, wire: WireContext) => boolean;
  /** The same around what the CSE sends to other CSEs. */
  readonly wrapSender?: (sender: Sender, core: Cse) => Sender;
}

export type Wrap = (service: HttpService, core: Cse) => HttpService;

/** Everything about one request goes through `handle`. */
export function handling(
  handle: (request: HttpRequest, service: HttpService, core: Cse) => HttpResponse | Promise<HttpResponse>,
): Wrap {
  return (service, core) => ({
    handle: (request) => handle(request, service, core),
    refuse: (error) => service.refuse(error),
  });
}

interface WireContext {
  readonly response: ServerResponse;
  /** Writes an answer as any other is written. */
  readonly write: (answer: HttpResponse) => void;
}

export class UnknownDeviationError extends Error {
  override readonly name = 'UnknownDeviationError';
}
