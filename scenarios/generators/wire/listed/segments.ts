import { bytesOf, creating, inChunks, type Parts, type Place, reading, soundBody } from '../wire-case.ts';
import { type Sending, section, served } from './robustness-case.ts';
import { posted } from './sent.ts';

const clause = 'RFC 9112, 2.1 and 2.2: a message is a sequence of octets';
const everywhere = (parts: (at: Place) => readonly Parts[]): Sending => ({ kind: 'cut everywhere', parts });
const cut = '2xx | 4xx 501 closed';
const post = posted();
/** In segments that begin at these bytes. */
const cutting = (write: (at: Place) => Parts, cuts: (bytes: string) => readonly number[]): Sending => ({
  kind: 'turns',
  turns(at, within) {
    const parts = write(at);
    const bytes = bytesOf(parts);
    return [{ bytes: Buffer.from(bytes, 'latin1'), cuts: cuts(bytes), methods: [parts.method], within }];
  },
});
const atEach = (bytes: string) => Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
const headEnd = (bytes: string) => bytes.indexOf('\r\n\r\n') + 4;

export const segments = section(7, 'Requests in segments', [
  ['a GET, cut at each byte in turn', everywhere((at) => [reading(at)]), clause, cut],
  ['a POST, cut at each byte in turn', everywhere((at) => [post(at)]), clause, cut],
  ['a POST in chunks, cut at each byte in turn', everywhere((at) => [inChunks(creating(at), 16)]), clause, cut],
  [
    'two GETs, cut at each byte in turn',
    everywhere((at) => [reading(at), { ...reading(at), target: at.application }]),
    clause,
    cut,
  ],
  [
    'a POST with a GET behind it, cut at each byte in turn',
    everywhere((at) => [post(at), { ...reading(at), target: at.sentinel }]),
    clause,
    cut,
  ],
  ['a GET in segments of one byte', cutting(reading, atEach), clause, served],
  ['a POST in segments of one byte', cutting(post, atEach), clause, '201'],
  ['a POST in chunks, in segments of one byte', cutting((at) => inChunks(creating(at), 16), atEach), clause, '201'],
  ['a head and its body in two segments', cutting(post, (bytes) => [headEnd(bytes)]), clause, '201'],
  ['a body in two segments', cutting(post, (bytes) => [headEnd(bytes) + 5]), clause, '201'],
  [
    'a body in segments of one byte',
    cutting(post, (bytes) => atEach(bytes).filter((at) => at >= headEnd(bytes))),
    clause,
    '201',
  ],
  [
    'each line in a segment of its own',
    cutting(reading, (bytes) => [...bytes.matchAll(/\n(?!$)/g)].map(({ index }) => index + 1)),
    clause,
    served,
  ],
  [
    'carriage returns and line feeds in segments of their own',
    cutting(reading, (bytes) => [...bytes.matchAll(/[\r\n]/g)].map(({ index }) => index).filter((at) => at > 0)),
    clause,
    served,
  ],
  [
    'a letter of two bytes in two segments',
    cutting(posted('{"m2m:cin":{"con":"\xc3\xa9","cnf":"text/plain:0"}}'), (bytes) => [bytes.indexOf('\xc3') + 1]),
    clause,
    '201',
  ],
  [
    'a question, then the body',
    cutting(posted(soundBody, 'Expect: 100-continue'), (bytes) => [headEnd(bytes)]),
    clause,
    '201',
  ],
]);
