/** What stands around one CSE, so that a test can watch and steer it: journals, deviations, and its way out. */
import type { Scheduler } from '../clock.ts';
import type { Cse } from '../core/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../dialects/outgoing-message.ts';
import { RequestJournal, recordedSender, recordedService } from '../journal/journal.ts';
import { DeviationSwitch } from './deviation-switch.ts';

interface InstrumentOptions {
  readonly clock: Scheduler;
  readonly most: number;
  /** Hears of what listeners of a journal throw. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export class Instruments {
  readonly requests: RequestJournal;
  readonly sent: RequestJournal;
  readonly deviations = new DeviationSwitch();
  readonly wayOut = new WayOut();
  readonly #records: boolean;

  /** `most`: requests that each journal keeps; 0: nothing is recorded. */
  constructor({ clock, most, onError }: InstrumentOptions) {
    this.#records = most > 0;
    const options = { clock, most, ...(onError && { onError }) };
    this.requests = new RequestJournal(options);
    this.sent = new RequestJournal(options);
  }

  /** The journal shows what was really answered: deviations lie within. */
  around(service: HttpService, core: () => Cse): HttpService {
    const deviating = this.deviations.around(service, core);
    return this.#records ? recordedService(deviating, this.requests) : deviating;
  }

  /** The journal shows what was really sent: deviations lie before it. */
  aroundSender(sender: Sender, core: () => Cse): Sender {
    const out = this.wayOut.around(sender);
    return this.deviations.aroundSender(this.#records ? recordedSender(out, this.sent) : out, core);
  }
}

// What a CSE sends on its way out: cut off from some CSEs when a test says so, and into inboxes of this process.

/** Takes what is sent to an address of this process. */
type Receiver = (request: OutgoingRequest) => OutgoingAnswer | Promise<OutgoingAnswer>;

export class WayOut {
  /** Origins from which this CSE is cut off. */
  readonly #cut = new Set<string>();
  readonly #receivers = new Map<string, Receiver>();

  /** What is sent to this URL, at whatever path, finds nobody from now on. */
  cut(url: string): void {
    this.#cut.add(originOf(url));
  }

  mend(url: string): void {
    this.#cut.delete(originOf(url));
  }

  /** What is sent to this URL is taken here, unless it is cut. */
  receive(url: string, receiver: Receiver): void {
    this.#receivers.set(originOf(url), receiver);
  }

  /** Whether what is sent to this URL stays in this process. */
  staysHere(url: string): boolean {
    return this.#receivers.has(originOf(url));
  }

  around(sender: Sender): Sender {
    return {
      send: async (baseUrl, request, signal) => {
        const origin = originOf(baseUrl);
        if (this.#cut.has(origin)) throw new UnreachableError(`${baseUrl}: disconnected by the test`);
        const receiver = this.#receivers.get(origin);
        return receiver === undefined ? sender.send(baseUrl, request, signal) : receiver(request);
      },
    };
  }
}

/** A text that is no URL stays as it is: whoever sends there says what is wrong with it. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
