/** What stands around one CSE, so that a test can watch and steer it: journals, deviations, and its way out. */
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
  /** Hears of what the binding itself refuses (malformed, too large), which is in no journal. */
  readonly onRefused?: (reason: string) => void;
  readonly openTelemetry?: OpenTelemetryApi | undefined;
}

const ignore = () => {};

export class Instruments {
  /** What came to the CSE. */
  readonly requests: RequestJournal;
  /** What the CSE itself has sent. */
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

  /** The journal shows what was really answered: deviations lie within. */
  wrapService(service: HttpService, core: () => Cse): HttpService {
    const deviating = this.deviations.wrapService(service, core);
    return recordedService(this.#spans?.wrapService(deviating) ?? deviating, this.requests, this.#onRefused);
  }

  /** The journal shows what was really sent: deviations lie before it. */
  wrapSender(sender: Sender, core: () => Cse): Sender {
    const recorded = recordedSender(this.outbound.wrapSender(sender), this.sent);
    return this.deviations.wrapSender(this.#spans?.wrapSender(recorded, core) ?? recorded, core);
  }
}

// What a CSE sends on its way out: cut off from some CSEs when a test says so, and into inboxes of this process.

/** Takes what is sent to an address of this process. */
type RequestHandler = (request: OutgoingRequest) => OutgoingAnswer | Promise<OutgoingAnswer>;

export class Outbound {
  /** Places from which this CSE is cut off. */
  readonly #cut = new Set<string>();
  readonly #receivers = new Map<string, RequestHandler>();

  /** What is sent to this URL, at whatever path, finds nobody from now on; at an MQTT server, who is so called there: `/id-in`. */
  disconnect(url: string, cse?: string): void {
    this.#cut.add(originOf(url, cse));
  }

  reconnect(url: string, cse?: string): void {
    this.#cut.delete(originOf(url, cse));
  }

  /** What is sent to this URL is taken here, unless it is cut. */
  receive(url: string, receiver: RequestHandler): void {
    this.#receivers.set(originOf(url), receiver);
  }

  /** Whether what is sent to this URL stays in this process. */
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

/** An MQTT server is of many. A text that is no URL stays as it is: whoever sends there says what is wrong with it. */
function originOf(url: string, cse = ''): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}${wireOf(url) === 'mqtt' ? ` ${cse}` : ''}`;
}
