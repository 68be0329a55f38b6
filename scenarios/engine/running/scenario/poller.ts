import { isObject } from '../../basics/body.ts';
import { type AnswerView, isSuccess, viewOf } from '../../judging/answer.ts';
import { primitiveHeaders } from '../../messages/primitive.ts';
import { headerList, type Speech, senderHeaders } from '../../messages/usual-headers.ts';
import type { ReceivedRequest } from '../../results/exchange.ts';
import { realClock } from '../../targets/exchanging/clocks.ts';
import { immediateReply, type Reply } from '../../targets/harness-server.ts';
import type { HarnessInbox } from '../../targets/inbox.ts';
import type { RequestSender } from './request-sender.ts';

/** Milliseconds: how long the CSE is to keep an idle request open, and the pause before the next one. */
const wait = { open: 2000, between: 250 };

export interface PolledChannel {
  /** With the path of its polling channel. */
  readonly inbox: HarnessInbox;
  readonly sender: RequestSender;
  readonly speech: Speech;
  /** Milliseconds since the start of the run. */
  readonly elapsed: () => number;
}

/** Polls channels, and answers as their inboxes do (TS-0004 7.4.21, 7.3.2.2). */
export class Poller {
  readonly #stop = new AbortController();
  readonly #running: Array<Promise<void>> = [];

  /** Until it is stopped, or the channel is gone. */
  poll(channel: PolledChannel): void {
    this.#running.push(this.#poll(channel).catch(() => {}));
  }

  /** Resolves when the last request is answered. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #poll(channel: PolledChannel): Promise<void> {
    const { fetch, answer } = channelClient(channel);
    while (!this.#stop.signal.aborted) {
      const exchange = await fetch();
      const view = viewOf(exchange);
      const { root, attributes: fetched } = view;
      if (root === 'm2m:rqp' && fetched !== undefined) {
        const reply = immediateReply(channel.inbox.receive(receivedAs(fetched, channel.elapsed())));
        if (reply !== undefined) void answer(fetched, reply).catch(() => {});
      } else if (isSuccess(exchange) || isTooLate(view)) await realClock.pause(wait.between, this.#stop.signal);
      else return;
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** As if it had come over HTTP, as far as possible. */
function receivedAs(fetched: Fields, at: number): ReceivedRequest {
  const headers = primitiveHeaders(fetched);
  const body = fetched.pc === undefined ? {} : { body: JSON.stringify(fetched.pc) };
  return { method: 'NOTIFY', path: String(fetched.to ?? ''), headers, ...body, at };
}

/** Sends to a polling channel as its owner. */
function channelClient({ inbox, sender, speech }: PolledChannel) {
  const path = `${inbox.channel}/pcu`;
  const { target, way, originator } = sender;
  const usual = () => headerList(senderHeaders({ originator, speech }));
  const json = ['Content-Type', 'application/json'] as const;
  return {
    fetch: () => target.send({ method: 'GET', path, headers: [...usual(), ['X-M2M-RET', String(wait.open)]] }, way),
    answer: ({ rqi, fr, to, rvi }: Fields, reply: Reply) => {
      const primitive = { rsc: Number(reply.headers['X-M2M-RSC']), rqi, fr: to, to: fr, rvi: rvi ?? speech.release };
      const body = Buffer.from(JSON.stringify({ 'm2m:rsp': primitive }));
      return target.send({ method: 'POST', path, headers: [...usual(), json], body }, way);
    },
  };
}

/** Nothing came in time: 4008 (TS-0004 6.6.3.5), or its equivalent in HTTP. */
function isTooLate({ status, rsc, body }: AnswerView): boolean {
  return rsc === 4008 || ((status === 408 || status === 504) && !isObject(body));
}
