import { jsonIn } from './body.ts';
import { readCbor } from './cbor.ts';
import type { HttpResponse } from './http-message.ts';

/** Characters. */
const longest = 300;

/** What an answer says of why it refuses: its `m2m:dbg`, bounded, without the userinfo of URLs; undefined when it says nothing. */
export function refusalReason({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): string | undefined {
  if (body.length === 0) return undefined;
  const type = headers['Content-Type'] ?? headers['content-type'] ?? '';
  const content = typeof body !== 'string' && type.includes('cbor') ? cborIn(body) : jsonIn(body);
  if (typeof content !== 'object' || content === null || !Object.hasOwn(content, 'm2m:dbg')) return undefined;
  const said = String((content as { readonly 'm2m:dbg': unknown })['m2m:dbg']).replace(/\/\/[^/@\s]*@/g, '//…@');
  return said.length <= longest ? said : `${said.slice(0, longest)}…`;
}

function cborIn(body: Uint8Array): unknown {
  const read = readCbor(body);
  return 'value' in read ? read.value : undefined;
}
