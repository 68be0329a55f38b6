import type { Turn } from '../../engine/targets/target.ts';
import {
  bytesOf,
  creating,
  inChunks,
  type Parts,
  type Place,
  reading,
  withLength,
  withLine,
} from '../../generators/wire/wire-case.ts';
import { caseOf, type RobustnessCase, type RobustnessSection } from '../robustness-case.ts';

const clause = 'RFC 9112, 2.1 and 2.2: a message is a sequence of octets';
const everywhere = (number: string, title: string, parts: (at: Place) => readonly Parts[]): RobustnessCase =>
  caseOf(number, title, { kind: 'cut everywhere', parts }, clause, {
    right: ['2xx'],
    tolerable: ['4xx', 501, 'closed'],
    methods: ['GET', 'POST'],
  });
const post = (at: Place) => withLength(creating(at));
/** In segments that begin at these bytes. */
const cutting =
  (write: (at: Place) => Parts, cuts: (bytes: string) => readonly number[]) =>
  (at: Place, within: number): readonly Turn[] => {
    const parts = write(at);
    const bytes = bytesOf(parts);
    return [{ bytes: Buffer.from(bytes, 'latin1'), cuts: cuts(bytes), methods: [parts.method], within }];
  };
const atEach = (bytes: string) => Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
const headEnd = (bytes: string) => bytes.indexOf('\r\n\r\n') + 4;
const pieces = (
  number: string,
  title: string,
  write: (at: Place) => Parts,
  cuts: (bytes: string) => readonly number[],
  status: 201 | '2xx' = '2xx',
) =>
  caseOf(number, title, { kind: 'turns', turns: cutting(write, cuts) }, clause, {
    right: [status],
    methods: [status === 201 ? 'POST' : 'GET'],
  });

export const segments: RobustnessSection = {
  number: 7,
  title: 'Requests in segments',
  cases: [
    everywhere('7.1', 'a GET, cut at each byte in turn', (at) => [reading(at)]),
    everywhere('7.2', 'a POST, cut at each byte in turn', (at) => [post(at)]),
    everywhere('7.3', 'a POST in chunks, cut at each byte in turn', (at) => [inChunks(creating(at), 16)]),
    everywhere('7.4', 'two GETs, cut at each byte in turn', (at) => [
      reading(at),
      { ...reading(at), target: at.application },
    ]),
    everywhere('7.5', 'a POST with a GET behind it, cut at each byte in turn', (at) => [
      post(at),
      { ...reading(at), target: at.sentinel },
    ]),
    pieces('7.6', 'a GET in segments of one byte', reading, atEach),
    pieces('7.7', 'a POST in segments of one byte', post, atEach, 201),
    pieces('7.8', 'a POST in chunks, in segments of one byte', (at) => inChunks(creating(at), 16), atEach, 201),
    pieces('7.9', 'a head and its body in two segments', post, (bytes) => [headEnd(bytes)], 201),
    pieces('7.10', 'a body in two segments', post, (bytes) => [headEnd(bytes) + 5], 201),
    pieces(
      '7.11',
      'a body in segments of one byte',
      post,
      (bytes) => atEach(bytes).filter((at) => at >= headEnd(bytes)),
      201,
    ),
    pieces('7.12', 'each line in a segment of its own', reading, (bytes) =>
      [...bytes.matchAll(/\n(?!$)/g)].map(({ index }) => index + 1),
    ),
    pieces('7.13', 'carriage returns and line feeds in segments of their own', reading, (bytes) =>
      [...bytes.matchAll(/[\r\n]/g)].map(({ index }) => index).filter((at) => at > 0),
    ),
    pieces(
      '7.14',
      'a letter of two bytes in two segments',
      (at) => withLength(creating(at, '{"m2m:cin":{"con":"\xc3\xa9","cnf":"text/plain:0"}}')),
      (bytes) => [bytes.indexOf('\xc3') + 1],
      201,
    ),
    pieces(
      '7.15',
      'a question, then the body',
      (at) => withLine(post(at), 'Expect: 100-continue'),
      (bytes) => [headEnd(bytes)],
      201,
    ),
  ],
};
