import { changingAnswers } from '../../faults/vocabulary/blocks.ts';
import { labelled } from '../../faults/vocabulary/changed-answers.ts';
import type { Quirk } from '../product.ts';

/** Octets that one call of recv() takes. */
const longestRequest = 64 * 1024;
/** Characters of an echoed header that the buffer for it holds, its name included. */
const longestEcho = 115;
const idle = 3000;

const headEnd = '\r\n\r\n';
const methods = /^(?:GET|POST|PUT|DELETE|OPTIONS) /;

interface Message {
  readonly head: string;
  readonly body: Buffer;
}

/** Undefined where the bytes hold no whole head. */
function messageIn(bytes: Buffer): Message | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  return { head: bytes.toString('latin1', 0, end), body: bytes.subarray(end + headEnd.length) };
}

function bytesOf({ head, body }: Message): Buffer {
  return Buffer.concat([Buffer.from(`${head}${headEnd}`, 'latin1'), body]);
}

/** What happens below HTTP. */
export const connections: readonly Quirk[] = [
  {
    id: 'connection.one-request',
    says: 'The connection is closed after one answer, which says so; a second request on it is lost.',
    notes: 'tinyiot-mobius.md, 2, row "connection"',
    violates: {},
    because: 'HTTP permits a server to close a connection after any answer, as long as it says so (RFC 9112, 9.6).',
    wrap: changingAnswers((answer) => labelled(answer, { Connection: 'Close' })),
    wire: { receives: (piece, isFirst) => (isFirst ? piece : Buffer.alloc(0)) },
  },
  {
    id: 'connection.idle',
    says: 'A connection on which nothing comes for three seconds is closed.',
    notes: 'tinyiot-mobius.md, 2, row "request reading"',
    violates: {},
    because: 'How long a server waits is its own affair (RFC 9112, 9.5).',
    wire: { idle },
  },
  {
    id: 'body.two-octets-more',
    says: 'Each body is followed by a line end that Content-Length does not count.',
    notes: 'tinyiot-mobius.md, 2, row "Content-Length"',
    violates: {},
    because: 'What follows the body on a connection that ends is not part of the answer, and no check sees it.',
    wire: {
      answers: (whole) => {
        const body = messageIn(whole)?.body ?? Buffer.alloc(0);
        return body.length === 0 ? whole : Buffer.concat([whole, Buffer.from('\r\n')]);
      },
    },
  },
  {
    id: 'body.empty-unmeasured',
    says: 'An answer without a body has no Content-Length.',
    notes: 'tinyiot-mobius.md, 2, rows "Content-Length" and "delete answer"',
    violates: {},
    because: 'The connection is closed, which ends the answer too (RFC 9112, 6.3).',
    wire: { answers: withoutLine(/^Content-Length: 0$/i) },
  },
  {
    id: 'answer.undated',
    says: 'No answer has a Date.',
    notes: 'tinyiot-mobius.md, 2, row "Date header, X-M2M-OT"',
    violates: {},
    because: 'No requirement speaks of it.',
    wire: { answers: withoutLine(/^Date: /i) },
  },
  {
    id: 'request.one-piece',
    says: 'Of a request the first piece alone is read: a body that is longer, or comes in chunks, is cut and so no JSON.',
    notes: 'tinyiot-mobius.md, 2, row "request reading"',
    violates: {},
    because: 'The requests of this dialect come in one piece; no requirement speaks of others.',
    wire: {
      receives: (piece) => {
        const message = messageIn(piece);
        if (message === undefined) return piece;
        const body = message.body.subarray(0, longestRequest);
        const lines = message.head
          .split('\r\n')
          .filter((line) => !/^(?:content-length|transfer-encoding):/i.test(line));
        return bytesOf({ head: [...lines, `Content-Length: ${body.length}`].join('\r\n'), body });
      },
    },
  },
  {
    id: 'crash.head-in-pieces',
    says: 'A request whose head comes in two pieces ends the process.',
    notes: 'tinyiot-mobius.md, 3.1, "request headers arriving in two TCP segments"',
    violates: {},
    because: 'The requests of this dialect come in one piece; no requirement speaks of others.',
    wire: { receives: (piece, isFirst) => (isFirst && messageIn(piece) === undefined ? undefined : piece) },
  },
  {
    id: 'crash.unknown-method',
    says: 'PATCH, HEAD, a method in small letters and what is no request end the process.',
    notes: 'tinyiot-mobius.md, 3.1, "PATCH, HEAD, get in lower case, hello"; 2, rows "PATCH" and "HEAD"',
    violates: { onem2m: ['std.http.unknown-method'] },
    wire: {
      receives: (piece, isFirst) => (isFirst && !methods.test(piece.toString('latin1', 0, 8)) ? undefined : piece),
    },
  },
  {
    id: 'crash.long-identifier',
    says: 'A request whose echoed headers are longer than 115 characters ends the process.',
    notes: 'tinyiot-mobius.md, 3.1, "X-M2M-RI of 300 characters"',
    violates: {},
    because: 'No requirement speaks of how long an identifier may be.',
    wire: {
      receives: (piece, isFirst) => {
        const lines = messageIn(piece)?.head.split('\r\n') ?? [];
        const isLong = lines.some((line) => /^x-m2m-(?:ri|rvi):/i.test(line) && line.length > longestEcho);
        return isFirst && isLong ? undefined : piece;
      },
    },
  },
];

function withoutLine(which: RegExp): (whole: Buffer) => Buffer {
  return (whole) => {
    const message = messageIn(whole);
    if (message === undefined) return whole;
    const lines = message.head.split('\r\n').filter((line) => !which.test(line));
    return bytesOf({ ...message, head: lines.join('\r\n') });
  };
}
