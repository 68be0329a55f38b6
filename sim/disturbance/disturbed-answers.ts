/** Writes disturbed or delayed answers. Each effect ends the connection, except for the empty answer. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Detour, DetouredExchange } from '../bindings/detour.ts';
import { bodyOf, lastHead, lastMessage } from '../bindings/serving.ts';
import type { HttpResponse } from '../dialects/http-message.ts';
import type { Scheduler } from '../environment/clock.ts';
import type { ExchangeDisturbance } from './active-rule.ts';
import type { DisturbanceRule } from './rule.ts';

type Effect<Name> = Extract<DisturbanceRule['do'], { readonly effect: Name }>;
/** The answer is an empty 500 where the service was not called. */
type WriteEffect<Name> = (effect: Effect<Name>, exchange: DetouredExchange, answer: HttpResponse) => void;

export type AnswerEffect = Effect<'drop' | 'reset' | 'empty' | 'truncate' | 'malformed-chunks'>;

const effectWriters: { readonly [Name in AnswerEffect['effect']]: WriteEffect<Name> } = {
  drop: (_effect, { response }) => inTurn(response, (socket) => socket.destroySoon()),
  reset: (_effect, { response, reset }) => inTurn(response, reset),
  empty: ({ answer }, { response, write }) => {
    if (answer === 'nothing') inTurn(response, (socket) => socket.end());
    else write({ status: 200, headers: {}, body: '' });
  },
  truncate: (effect, { response }, answer) => {
    const whole = lastMessage(answer, response.req.method === 'HEAD');
    sendLast(response, whole.subarray(0, cutIn(effect, whole.length, bodyOf(answer).length)));
  },
  'malformed-chunks': (_effect, { response }, answer) => {
    const body = bodyOf(answer);
    const half = body.subarray(0, Math.ceil(body.length / 2));
    const head = lastHead(answer, 'Transfer-Encoding: chunked');
    const first = half.length === 0 ? '' : `${half.length.toString(16)}\r\n`;
    sendLast(response, Buffer.concat([head, Buffer.from(first), half, Buffer.from('\r\nno length\r\n')]));
  },
};

function disturbAnswer(effect: AnswerEffect, exchange: DetouredExchange, answer: HttpResponse | undefined): void {
  const write = effectWriters[effect.effect] as WriteEffect<AnswerEffect['effect']>;
  write(effect, exchange, answer ?? { status: 500, headers: {}, body: '' });
}

/** Where to cut a message of so many bytes, so many of which are its body. */
function cutIn({ bytes, keep = 0.5, of = 'body' }: Effect<'truncate'>, whole: number, body: number): number {
  const before = of === 'body' ? Math.max(0, whole - body) : 0;
  return before + (bytes ?? Math.floor(keep * (whole - before)));
}

/** Once all earlier requests on the connection are answered, as HTTP demands; never, if they never are. */
function inTurn(response: ServerResponse, task: (socket: Socket) => void): void {
  const { socket } = response;
  if (socket !== null) task(socket);
  else response.once('socket', task);
}

/** Writes these bytes in turn, and closes the connection. */
export function sendLast(response: ServerResponse, bytes: Uint8Array): void {
  inTurn(response, (socket) => {
    socket.write(bytes);
    socket.destroySoon();
  });
}

/** Delayed tasks, by a clock that may be virtual. */
export function waitsOf(clock: Scheduler) {
  const pending = new Map<() => void, () => void>();
  let ended = false;
  return {
    /** At once without a delay. */
    after(milliseconds: number, task: () => void): void {
      if (milliseconds <= 0 || ended) {
        task();
        return;
      }
      const due = (): void => {
        pending.delete(due);
        task();
      };
      pending.set(due, clock.schedule(milliseconds, due, { isAwaited: true }));
    },
    /** Runs all waiting tasks now; later ones run without delay. */
    end(): void {
      ended = true;
      for (const [due, cancel] of [...pending]) {
        cancel();
        due();
      }
    },
  };
}

export type DisturbanceWaits = ReturnType<typeof waitsOf>;

/** Milliseconds of virtual time after which a held exchange is cut: clients give up in real time, for which no test can wait. */
const longestHold = 60_000;

/** Exchanges that are never answered. */
export class HeldExchanges {
  readonly #clock: Scheduler;
  readonly #held = new Set<ServerResponse>();

  constructor(clock: Scheduler) {
    this.#clock = clock;
  }

  add(response: ServerResponse): void {
    this.#held.add(response);
    const giveUp = () => response.req.socket.destroy();
    const isVirtual = this.#clock.changeCount !== undefined;
    const cancel = isVirtual ? this.#clock.schedule(longestHold, giveUp, { isAwaited: true }) : () => {};
    response.once('close', () => {
      cancel();
      this.#held.delete(response);
    });
  }

  cut(): void {
    for (const { req } of this.#held) req.socket.destroy();
  }
}

/** Pieces per second, if the rate is high enough. */
const rhythm = 10;

/** Writes the head at once, then the body at so many bytes per second. */
function writeSlowly(
  answer: HttpResponse,
  rate: number,
  waits: DisturbanceWaits,
  { response, write }: DetouredExchange,
): void {
  const body = bodyOf(answer);
  if (body.length === 0 || response.req.method === 'HEAD') {
    write(answer);
    return;
  }
  const piece = Math.max(1, Math.ceil(rate / rhythm));
  const writeFrom = (start: number): void => {
    if (response.destroyed) return;
    const end = Math.min(start + piece, body.length);
    response.write(body.subarray(start, end));
    if (end === body.length) response.end();
    else wait(end);
  };
  const wait = (start: number): void =>
    waits.after((Math.min(piece, body.length - start) / rate) * 1000, () => writeFrom(start));
  response.writeHead(answer.status, { ...answer.headers, 'Content-Length': String(body.length) });
  response.flushHeaders();
  wait(0);
}

/** `hold` takes exchanges that are never answered. */
export function detourOf(
  { milliseconds, rate, answerEffect }: ExchangeDisturbance,
  waits: DisturbanceWaits,
  hold: (response: ServerResponse) => void,
): Detour {
  const deliver = (answer: HttpResponse | undefined, exchange: DetouredExchange): void => {
    if (exchange.response.destroyed) return;
    if (answerEffect !== undefined) disturbAnswer(answerEffect, exchange, answer);
    else if (answer !== undefined && rate !== undefined) writeSlowly(answer, rate, waits, exchange);
    else if (answer !== undefined) exchange.write(answer);
  };
  return {
    isServed: answerEffect === undefined || !('lost' in answerEffect) || answerEffect.lost !== 'request',
    take: (answer, exchange) => {
      if (answerEffect?.effect === 'empty' && answerEffect.answer === 'nothing') hold(exchange.response);
      waits.after(milliseconds, () => deliver(answer, exchange));
    },
  };
}
