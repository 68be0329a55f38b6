/** Instruments around one CSE for tests: journals, switchable deviations, and its outbound requests. */
import type { Cse } from '../core/operations/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
  wireOf,
} from '../dialects/outgoing-message.ts';
import { receiverIn } from '../dialects/target.ts';
import { type JournalOptions, RequestJournal } from '../journal/journal.ts';
import { recordedSender, recordedService } from '../journal/recorded.ts';
import { DeviationSwitch } from './deviation-switch.ts';
import { type OpenTelemetryApi, Spans } from './spans.ts';

interface InstrumentsOptions extends JournalOptions {
  /** Receives refusals by the binding itself (malformed, too large), which are in no journal. */
  readonly onRefused?: (reason: string) => void;
  readonly openTelemetry?: OpenTelemetryApi | undefined;
}

const ignore = () => {};

export class Instruments {
  /** Requests received by the CSE. */
  readonly requests: RequestJournal;
  /** Requests sent by the CSE. */
  readonly sent: RequestJournal;
  readonly deviations = new DeviationSwitch();
  readonly outbound = new Outbound();
  readonly #onRefused: (reason: string) => void;
  readonly #spans: Spans | undefined;

  constructor({ onRefused = ignore, openTelemetry, ...options }: InstrumentsOptions) {
    this.#spans = openTelemetry && new Spans(openTelemetry);
    this.#onRefused = onRefused;
    this.requests = new RequestJournal(options);
    this.sent = new RequestJournal(options);
  }

  /** The journal has the real answers: deviations are inside. */
  wrapService(service: HttpService, core: () => Cse): HttpService {
    const deviating = this.deviations.wrapService(service, core);
    return recordedService(this.#spans?.wrapService(deviating) ?? deviating, this.requests, this.#onRefused);
  }

  /** The journal has what was really sent: deviations come before it. */
  wrapSender(sender: Sender, core: () => Cse): Sender {
    const recorded = recordedSender(this.outbound.wrapSender(sender), this.sent);
    return this.deviations.wrapSender(this.#spans?.wrapSender(recorded, core) ?? recorded, core);
  }
}

// Outbound requests of a CSE: tests can disconnect targets, and receive requests in this process.

/** Receives what is sent to an address in this process. */
type RequestHandler = (request: OutgoingRequest) => OutgoingAnswer | Promise<OutgoingAnswer>;

export class Outbound {
  /** Disconnected origins. */
  readonly #cut = new Set<string>();
  readonly #receivers = new Map<string, RequestHandler>();

  /** From now on nothing can be sent to this origin, whatever the path; at an MQTT server, to this CSE: `/id-in`. */
  disconnect(url: string, cse?: string): void {
    this.#cut.add(originOf(url, cse));
  }

  reconnect(url: string, cse?: string): void {
    this.#cut.delete(originOf(url, cse));
  }

  /** Receives what is sent to this URL, unless disconnected. */
  receive(url: string, receiver: RequestHandler): void {
    this.#receivers.set(originOf(url), receiver);
  }

  /** Whether requests to this URL stay in this process. */
  isLocal(url: string): boolean {
    return this.#receivers.has(originOf(url));
  }

  wrapSender(sender: Sender): Sender {
    return {
      send: async (baseUrl, request, signal) => {
        const origin = originOf(baseUrl, request.receiver ?? receiverIn(request.target));
        if (this.#cut.has(origin)) throw new UnreachableError(`${baseUrl}: disconnected by the test`);
        const receiver = this.#receivers.get(origin);
        return receiver === undefined ? sender.send(baseUrl, request, signal) : receiver(request);
      },
    };
  }
}

/** With the CSE for an MQTT server, which many share. An invalid URL stays as it is: sending to it reports the error. */
function originOf(url: string, cse = ''): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}${wireOf(url) === 'mqtt' ? ` ${cse}` : ''}`;
}
