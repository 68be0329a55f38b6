import type { ServerResponse } from 'node:http';
import type { DefectName } from '../../../certs/pki.ts';
import type { Cse } from '../../core/operations/cse.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { Sender } from '../../dialects/outgoing-message.ts';

/** One way in which a CSE can violate the interface documents, wrapped around its HTTP service or its sender. */
export interface WrittenDeviation {
  /** The part of the interface, then what is wrong: `ae.aei.missing`. */
  readonly id: string;
  /** The requirement that it violates. */
  readonly violates: string;
  /** Requirements that it inevitably violates as well, such as those about the value of a missing attribute. */
  readonly also?: readonly string[];
  /** Why no client can detect it, in a sentence: it is no deviation, and is kept to document that. */
  readonly equivalent?: string;
  /** Visible only in sequences of requests such as generators make: no scenario is expected to detect it. */
  readonly sequencesOnly?: true;
  /** All its effects, in one sentence. */
  readonly says: string;
  /** Wraps the service, with state of its own if needed. */
  readonly wrap?: Wrap;
  /** The CSE presents a certificate with this defect instead of its own. */
  readonly presents?: DefectName;
  /** Whether to accept a connection despite TLS's objection to the client's certificate: node's code, such as `CERT_HAS_EXPIRED`. */
  readonly overlooks?: (objection: string) => boolean;
  /** Deviates below HTTP, over a socket only; returns whether it has written the answer, which otherwise is written unchanged. */
  readonly writes?: (answer: HttpResponse, wire: WireContext) => boolean;
  /** Wraps the sender of requests to other CSEs. */
  readonly wrapSender?: (sender: Sender, core: Cse) => Sender;
}

export type Wrap = (service: HttpService, core: Cse) => HttpService;

/** Passes each request to `handle`. */
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
  /** Writes an answer as usual. */
  readonly write: (answer: HttpResponse) => void;
}

export class UnknownDeviationError extends Error {
  override readonly name = 'UnknownDeviationError';
}
