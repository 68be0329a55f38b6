import { isObject } from '../../basics/body.ts';
import type { LoadedCheck } from '../../files/load.ts';
import type { NotifiedStep } from '../../grammar/grammar-step.ts';
import { milliseconds } from '../../grammar/names.ts';
import { permittedBy } from '../../grammar/vocabulary.ts';
import { type AnswerObservation, type AnswerView, emptyView, isSuccess, viewOf } from '../../judging/answer.ts';
import { primitiveHeaders } from '../../messages/primitive.ts';
import { now, since } from '../../messages/target.ts';
import { headerList, type Speech, senderHeaders } from '../../messages/usual-headers.ts';
import type { ReceivedRequest } from '../../results/exchange.ts';
import { realClock } from '../../targets/exchanging/clocks.ts';
import { immediateReply, type Reply } from '../../targets/harness-server.ts';
import type { HarnessInbox, InboxWait, Notification, Silence } from '../../targets/inbox.ts';
import type { Installation } from '../../targets/installation.ts';
import type { RequestSender } from './request-sender.ts';

const usualWait = '5s';

interface WatchContext extends Pick<Installation, 'settled'> {
  /** Whether nothing more comes once the target has settled. */
  readonly hasty?: boolean;
  readonly silence: Silence;
  readonly signal: AbortSignal;
}

/** Waits for the notifications of a step, and reads those that no earlier step has read; `waited` in milliseconds. */
export async function awaitNotifications(
  step: NotifiedStep,
  checks: readonly LoadedCheck[],
  inbox: HarnessInbox,
  { settled, hasty = false, silence, signal }: WatchContext,
) {
  const { of = 'event', until = 1, within = usualWait } = step;
  const waiting = { of, within: milliseconds(within), signal };
  const expected = Math.max(until, ...(until === 0 ? checks.map(expectedIn) : []));
  const started = now();
  const enough = hasty && settled !== undefined ? endingOn(settled, waiting) : waiting;
  if (expected > 0 && (await inbox.waitFor(expected, enough))) silence.noteArrival(since(started));
  const nothingMore = settled !== undefined ? endingOn(settled, waiting) : surplusWait(expected, silence, waiting);
  if (until === 0) await inbox.waitFor(Number.POSITIVE_INFINITY, nothingMore);
  const received = inbox.pick(of);
  const waited = since(started);
  const missing = received.length < until;
  const found = countOf(received.length, of);
  const summary = missing ? `${until === 1 ? found : `${found} instead of ${until}`} came within ${within}` : found;
  const view = viewOfAll(received, checks);
  const observation: AnswerObservation = { view, summary, success: !missing, ...(missing && { noAnswer: summary }) };
  return { received, waited, observation };
}

/** Ends the wait when the target has settled. */
function endingOn(settled: () => Promise<void>, waiting: InboxWait): InboxWait {
  const over = new AbortController();
  void settled().then(() => over.abort());
  return { ...waiting, signal: AbortSignal.any([waiting.signal, over.signal]) };
}

/** Milliseconds in which a surplus notification would come. */
const surplusTime = 500;

/** The whole time where none is expected; else a moment, for surplus ones. */
function surplusWait(expected: number, silence: Silence, waiting: InboxWait): InboxWait {
  const within = silence.limit(waiting.within);
  return { ...waiting, within: expected === 0 ? within : Math.min(within, surplusTime) };
}

/** The least number of notifications that a check explicitly mentions. */
function expectedIn({ check }: LoadedCheck): number {
  const counts = permittedBy(check).map(({ notifications, notification, which = 1 }) =>
    typeof notifications === 'number' ? notifications : notification === undefined ? 0 : which,
  );
  return Math.min(...counts);
}

/** Captures read attributes and headers of the first. */
function viewOfAll(received: readonly Notification[], checks: readonly LoadedCheck[]): AnswerView {
  const list = received.map(({ view }) => view);
  const { headers = emptyView.headers, root, attributes, body } = list[0] ?? {};
  const counted = checks.some(({ check }) => permittedBy(check).some((one) => one.notifications !== undefined));
  return { ...emptyView, headers, root, attributes, body, notifications: list, counted };
}

/** Such as `no event notification`, `2 notifications`. */
function countOf(count: number, of: string): string {
  const kind = of === 'any' ? '' : `${of} `;
  return `${count === 0 ? 'no' : count} ${kind}notification${count > 1 ? 's' : ''}`;
}

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
