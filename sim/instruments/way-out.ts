/** What a CSE sends on its way out: cut off from some CSEs when a test says so, and into inboxes of this process. */
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../dialects/outgoing-message.ts';

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
