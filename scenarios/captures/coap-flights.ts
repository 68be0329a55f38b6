/** Exchanges over CoAP as datagrams, with long bodies in blocks (RFC 7959). */

import { generate } from 'coap-packet';
import {
  blockOption,
  type CoapParts,
  formatOption,
  type Option,
  option,
  optionsOf,
  requestIn,
} from '../engine/messages/coap-message.ts';
import type { ReceivedAnswer } from '../engine/results/exchange.ts';
import { commentOf, type ExportedExchange, type Flight, keptBody, keptHeaders } from './exported.ts';

const blockSize = 1024;

export function overCoap(trace: readonly ExportedExchange[]): Flight[] {
  let lastId = 0;
  return trace.flatMap((one, number) => {
    const { exchange, from, to } = one;
    const token = Buffer.from([number >> 8, number & 255]);
    const flight = (message: CoapParts, isAnswer: boolean, at: number): Flight => {
      if (!isAnswer) lastId = (lastId + 1) & 0xffff;
      const messageId = lastId;
      const bytes = generate(
        { ...message, options: [...message.options], token, messageId, ack: isAnswer, confirmable: !isAnswer },
        65_536,
      );
      return { at, isAnswer, bytes };
    };
    const [first, ...flights] = messagesOf(exchange).map(({ message, isAnswer, isLast }) =>
      flight(message, isAnswer, isAnswer || isLast ? to : from),
    );
    return first === undefined ? [] : [{ ...first, at: from, comment: commentOf(one) }, ...flights];
  });
}

interface Message {
  readonly message: CoapParts;
  readonly isAnswer: boolean;
  /** Whether it completes the request. */
  readonly isLast: boolean;
}

function messagesOf({ request, answer }: ExportedExchange['exchange']): Message[] {
  const { body, ...others } = request;
  const sent = keptBody(body);
  const headers = keptHeaders(request.headers);
  const sentMessage = requestIn({ ...others, headers, ...(body !== undefined && { body: Buffer.from(sent.text) }) });
  const goOn = (options: readonly Option[]): CoapParts => ({ code: '2.31', options, payload: Buffer.alloc(0) });
  const questions = blocksOf(sentMessage, 'Block1', sent.isCut).flatMap(({ message, block, more }): Message[] => [
    { message, isAnswer: false, isLast: false },
    ...(more ? [{ message: goOn(block), isAnswer: true, isLast: false }] : []),
  ]);
  return answer === undefined || sent.isCut ? questions : [...questions, ...answersOf(answer, sentMessage)];
}

function answersOf({ body, ...answer }: ReceivedAnswer, request: CoapParts): Message[] {
  const response = keptBody(body);
  const whole = answerMessage({ ...answer, headers: keptHeaders(answer.headers), body: response.text });
  const next = (block: readonly Option[]): CoapParts => ({
    ...{ ...request, payload: Buffer.alloc(0) },
    options: [...request.options, ...withoutMore(block)],
  });
  return blocksOf(whole, 'Block2', response.isCut).flatMap(({ message, block }, number): Message[] => [
    ...(number === 0 ? [] : [{ message: next(block), isAnswer: false, isLast: true }]),
    { message, isAnswer: true, isLast: true },
  ]);
}

/** A message in blocks; a cut body always has more. */
function blocksOf(message: CoapParts, name: 'Block1' | 'Block2', isCut: boolean) {
  const count = Math.max(1, Math.ceil(message.payload.length / blockSize));
  return Array.from({ length: count }, (_, number) => {
    const more = isCut || number < count - 1;
    const block = count === 1 && !isCut ? [] : [blockOption(name, { number, more, size: blockSize })];
    const payload = message.payload.subarray(number * blockSize, (number + 1) * blockSize);
    return { message: { ...message, options: [...message.options, ...block], payload }, block, more };
  });
}

const withoutMore = (options: readonly Option[]): Option[] =>
  options.map(({ name, value }) => {
    const copy = Buffer.from(value);
    if (copy.length > 0) copy[copy.length - 1] = (copy.at(-1) ?? 0) & ~8;
    return { name, value: copy };
  });

/** The code of the response is among its headers. */
function answerMessage({ headers, body }: ReceivedAnswer): CoapParts {
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
