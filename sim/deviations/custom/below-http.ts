import type { Deviation, Writes } from '../deviation.ts';
import { withoutHeaders } from '../vocabulary/messages.ts';

const wordForWord: Writes = (answer, { headers }) => {
  const strange = headers.some((name, at) => at % 2 === 0 && name !== 'X-M2M-RI' && name.toLowerCase() === 'x-m2m-ri');
  return strange ? { answer: withoutHeaders(answer, 'X-M2M-RI'), framing: 'length' } : undefined;
};

/** What goes wrong where answers become bytes. */
export const belowHttp: readonly Deviation[] = [
  {
    id: 'std.headers.content-length.left-out',
    violates: 'std.headers.content-length',
    says: 'Content comes in chunks, and no answer says how long it is.',
    equivalent: 'An answer in chunks has no Content-Length (RFC 9112 6.2).',
    writes: (answer, { method }) =>
      method === 'HEAD' || answer.body.length === 0 ? undefined : { answer, framing: 'chunks' },
  },
  {
    id: 'std.headers.case.word-for-word',
    violates: 'std.headers.case',
    says: 'A request identifier does not come back where its header is written otherwise than X-M2M-RI.',
    writes: wordForWord,
  },
];
