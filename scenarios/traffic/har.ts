/** Exchanges as an HTTP Archive has them (HAR 1.2), which browsers and proxies write. */
import { z } from 'zod';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { Place } from '../engine/result.ts';
import { isForeign, type Recorded } from './recorded.ts';

const Headers = z.array(z.object({ name: z.string(), value: z.string() }));

export const HarEntry = z.object({
  startedDateTime: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is no time'),
  /** Milliseconds. */
  time: z.number().nullish(),
  request: z.object({
    method: z.string().min(1),
    url: z.string().refine((text) => URL.canParse(text), 'is no URL'),
    headers: Headers,
    bodySize: z.number().optional(),
    postData: z.object({ text: z.string().optional(), encoding: z.string().optional() }).nullish(),
  }),
  response: z.object({
    /** 0 where none came. */
    status: z.int(),
    headers: Headers,
    content: z.object({ size: z.number().optional(), text: z.string().optional(), encoding: z.string().optional() }),
  }),
  _fromCache: z.string().nullish(),
});
export type HarEntry = z.infer<typeof HarEntry>;

/** Undefined for what never went to the server. */
export function fromHar({ startedDateTime, time, ...entry }: HarEntry, place: Place): Recorded | undefined {
  const { request, response } = entry;
  const { origin, pathname, search, protocol } = new URL(request.url);
  if (!/^https?:$/.test(protocol) || typeof entry._fromCache === 'string') return undefined;
  const at = Date.parse(startedDateTime);
  const took = Math.max(0, time ?? 0);
  const [sent, told] = [textOf(request.postData), textOf(response.content)];
  const exchange: Exchange = {
    request: {
      method: request.method,
      path: pathname + search,
      headers: pairsOf(request.headers),
      ...(sent !== '' && { body: sent }),
    },
    ...(response.status > 0 && {
      answer: { status: response.status, headers: pairsOf(response.headers), body: told },
    }),
    ...{ at, took, curl: '' },
  };
  const isKept = isWhole(sent, request.bodySize) && isWhole(told, response.content.size);
  return { exchange, place, from: at, to: at + took, isWhole: isKept && !isForeign(exchange), origin };
}

/** With HTTP/2, names such as `:path` are no headers. */
function pairsOf(headers: z.infer<typeof Headers>): Array<readonly [string, string]> {
  return headers.filter(({ name }) => !name.startsWith(':')).map(({ name, value }) => [name, value] as const);
}

function textOf(
  body: { readonly text?: string | undefined; readonly encoding?: string | undefined } | null | undefined,
) {
  const { text = '', encoding } = body ?? {};
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
}

/** Some writers leave out what is long, or cut it. */
function isWhole(text: string, size = 0): boolean {
  return Buffer.byteLength(text) >= size;
}
