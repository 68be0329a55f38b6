/** What the client gets to see of an answer that is broken. Each of these ends the connection, but for the empty answer. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../bindings/detour.ts';
import { bodyOf, lastHead, lastMessage } from '../bindings/last-message.ts';
import type { HttpResponse } from '../dialects/http-message.ts';
import type { BreakageRule } from './rule.ts';

type Effect<Name> = Extract<BreakageRule['do'], { readonly effect: Name }>;
/** Without an answer where the service was not asked. */
type Break<Name> = (effect: Effect<Name>, exchange: Exchange, answer: HttpResponse) => void;

export type BreakingEffect = Effect<'drop' | 'reset' | 'empty' | 'truncate' | 'malformed-chunks'>;

const breaks: { readonly [Name in BreakingEffect['effect']]: Break<Name> } = {
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

export function breakAnswer(effect: BreakingEffect, exchange: Exchange, answer: HttpResponse | undefined): void {
  const broken = breaks[effect.effect] as Break<BreakingEffect['effect']>;
  broken(effect, exchange, answer ?? { status: 500, headers: {}, body: '' });
}

/** Where to cut a message of so many bytes, so many of which are its body. */
function cutIn({ bytes, keep = 0.5, of = 'body' }: Effect<'truncate'>, whole: number, body: number): number {
  const before = of === 'body' ? Math.max(0, whole - body) : 0;
  return before + (bytes ?? Math.floor(keep * (whole - before)));
}

/** After everything that was asked before on the same connection is answered, as HTTP demands; never, when that never is. */
function inTurn(response: ServerResponse, task: (socket: Socket) => void): void {
  const { socket } = response;
  if (socket !== null) task(socket);
  else response.once('socket', task);
}

/** Writes these bytes in their turn, and closes the connection. */
export function sendLast(response: ServerResponse, bytes: Uint8Array): void {
  inTurn(response, (socket) => {
    socket.write(bytes);
    socket.destroySoon();
  });
}
