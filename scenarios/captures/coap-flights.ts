/** Exchanges over CoAP as their datagrams; what is larger than a block goes and comes in blocks (RFC 7959). */

import { generate } from 'coap-packet';
import {
  blockOption,
  formatOption,
  type Option,
  option,
  optionsOf,
  requestIn,
  type Said,
} from '../engine/messages/coap-message.ts';
import type { ReceivedAnswer } from '../engine/results/exchange.ts';
import { commentOf, type Exported, type Flight, keptBody, keptHeaders } from './exported.ts';

const blockSize = 1024;

export function overCoap(talk: readonly Exported[]): Flight[] {
  let lastId = 0;
  return talk.flatMap((one, number) => {
    const { exchange, from, to } = one;
    const token = Buffer.from([number >> 8, number & 255]);
    const flight = (said: Said, isAnswer: boolean, at: number): Flight => {
      if (!isAnswer) lastId = (lastId + 1) & 0xffff;
      const messageId = lastId;
      const bytes = generate(
        { ...said, options: [...said.options], token, messageId, ack: isAnswer, confirmable: !isAnswer },
        65_536,
      );
      return { at, isAnswer, bytes };
    };
    const [first, ...flights] = messagesOf(exchange).map(({ said, isAnswer, isLast }) =>
      flight(said, isAnswer, isAnswer || isLast ? to : from),
    );
    return first === undefined ? [] : [{ ...first, at: from, comment: commentOf(one) }, ...flights];
  });
}

interface Message {
  readonly said: Said;
  readonly isAnswer: boolean;
  /** Whether the request is there as a whole. */
  readonly isLast: boolean;
}

function messagesOf({ request, answer }: Exported['exchange']): Message[] {
  const { body, ...others } = request;
  const sent = keptBody(body);
  const headers = keptHeaders(request.headers);
  const asked = requestIn({ ...others, headers, ...(body !== undefined && { body: Buffer.from(sent.text) }) });
  const goOn = (options: readonly Option[]): Said => ({ code: '2.31', options, payload: Buffer.alloc(0) });
  const questions = blocksOf(asked, 'Block1', sent.isCut).flatMap(({ said, block, more }): Message[] => [
    { said, isAnswer: false, isLast: false },
    ...(more ? [{ said: goOn(block), isAnswer: true, isLast: false }] : []),
  ]);
  return answer === undefined || sent.isCut ? questions : [...questions, ...answersOf(answer, asked)];
}

function answersOf({ body, ...answer }: ReceivedAnswer, asked: Said): Message[] {
  const told = keptBody(body);
  const whole = answerSaid({ ...answer, headers: keptHeaders(answer.headers), body: told.text });
  const next = (block: readonly Option[]): Said => ({
    ...{ ...asked, payload: Buffer.alloc(0) },
    options: [...asked.options, ...withoutMore(block)],
  });
  return blocksOf(whole, 'Block2', told.isCut).flatMap(({ said, block }, number): Message[] => [
    ...(number === 0 ? [] : [{ said: next(block), isAnswer: false, isLast: true }]),
    { said, isAnswer: true, isLast: true },
  ]);
}

/** A message in parts; of one that was cut there is always more. */
function blocksOf(said: Said, name: 'Block1' | 'Block2', isCut: boolean) {
  const count = Math.max(1, Math.ceil(said.payload.length / blockSize));
  return Array.from({ length: count }, (_, number) => {
    const more = isCut || number < count - 1;
    const block = count === 1 && !isCut ? [] : [blockOption(name, { number, more, size: blockSize })];
    const payload = said.payload.subarray(number * blockSize, (number + 1) * blockSize);
    return { said: { ...said, options: [...said.options, ...block], payload }, block, more };
  });
}

const withoutMore = (options: readonly Option[]): Option[] =>
  options.map(({ name, value }) => {
    const copy = Buffer.from(value);
    if (copy.length > 0) copy[copy.length - 1] = (copy.at(-1) ?? 0) & ~8;
    return { name, value: copy };
  });

/** With the code that came, which is told beside its headers. */
function answerSaid({ headers, body }: ReceivedAnswer): Said {
  const by = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const location = by.get('content-location')?.split('/').slice(1) ?? [];
  const type = by.get('content-type');
  return {
    code: by.get('coap-code') ?? '2.05',
    options: [
      ...headers.flatMap(([name, value]) => optionsOf(name.toLowerCase(), value)),
      ...location.map((part) => option('Location-Path', part)),
      ...(type === undefined ? [] : formatOption('Content-Format', type)),
    ],
    payload: Buffer.from(body),
  };
}
