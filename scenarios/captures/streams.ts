/** Reassembles TCP connections by sequence numbers (RFC 9293, clause 3.4). */

import type { Packet } from './packets.ts';
import type { Segment } from './segments.ts';

/** Receives the data of one connection, in order. */
export interface StreamListener {
  onData(isFirstSide: boolean, bytes: Buffer, packet: Packet): void;
  /** Data of this side is missing in the capture. */
  onLost(isFirstSide: boolean, packet: Packet): void;
  /** The connection ended, with `packet` if that is in the capture. May be called more than once. */
  onEnd(packet: Packet | undefined): void;
}

/** Most segments that wait for earlier ones. */
const mostWaiting = 1000;

interface Connection {
  /** The side that sent first. */
  readonly first: string;
  readonly sides: readonly [Side, Side];
  readonly listener: StreamListener;
}

interface Side {
  /** Sequence number of the next octet; undefined before the first segment. */
  next: number | undefined;
  readonly waiting: Map<number, Segment>;
  isOver: boolean;
}

export class TcpStreams {
  readonly #connections = new Map<string, Connection>();
  readonly #listen: (from: string, to: string, packet: Packet) => StreamListener;

  constructor(listen: (from: string, to: string, packet: Packet) => StreamListener) {
    this.#listen = listen;
  }

  take(segment: Segment): void {
    const { from, to, isFirst, packet, sequence } = segment;
    const key = [from, to].sort().join(' ');
    const known = this.#connections.get(key);
    // A new connection between the same ports.
    const isAnew = known !== undefined && isFirst && from === known.first && known.sides[0].next !== sequence + 1;
    if (isAnew) end(known, packet);
    const connection = (isAnew ? undefined : known) ?? {
      first: from,
      sides: [sideOf(), sideOf()] as const,
      listener: this.#listen(from, to, packet),
    };
    this.#connections.set(key, connection);
    onSegment(connection, segment);
  }

  end(): void {
    for (const connection of this.#connections.values()) end(connection);
  }
}

const sideOf = (): Side => ({ next: undefined, waiting: new Map(), isOver: false });

function onSegment(connection: Connection, segment: Segment): void {
  const { first, sides, listener } = connection;
  const isFirstSide = segment.from === first;
  const side = sides[isFirstSide ? 0 : 1];
  if (segment.isFirst) side.next = (segment.sequence + 1) >>> 0;
  side.next ??= segment.sequence;
  if (segment.payload.length > 0)
    side.waiting.set(segment.sequence, longer(segment, side.waiting.get(segment.sequence)));
  emit(side, isFirstSide, listener);
  if (side.waiting.size > mostWaiting) skip(side, isFirstSide, listener);
  side.isOver ||= segment.isLast;
  if (segment.isReset || sides.every(({ isOver, waiting }) => isOver && waiting.size === 0))
    listener.onEnd(segment.packet);
}

const longer = (one: Segment, other: Segment | undefined): Segment =>
  other !== undefined && other.payload.length >= one.payload.length ? other : one;

/** Emits everything without a gap. */
function emit(side: Side, isFirstSide: boolean, listener: StreamListener): void {
  for (let [found] = ready(side); found !== undefined; [found] = ready(side)) {
    side.waiting.delete(found.sequence);
    const fresh = found.payload.subarray(ahead(side.next ?? 0, found.sequence));
    if (fresh.length === 0) continue;
    side.next = ((side.next ?? 0) + fresh.length) >>> 0;
    listener.onData(isFirstSide, fresh, found.packet);
  }
}

function ready({ next = 0, waiting }: Side): Segment[] {
  const exact = waiting.get(next);
  if (exact !== undefined) return [exact];
  return [...waiting.values()].filter(({ sequence }) => ahead(next, sequence) > 0).slice(0, 1);
}

/** Distance of two sequence numbers, which wrap at 2³². */
const ahead = (one: number, other: number): number => (one - other) | 0;

/** Gives up on missing data. */
function skip(side: Side, isFirstSide: boolean, listener: StreamListener): void {
  const [first] = [...side.waiting.values()].sort((a, b) => ahead(a.sequence, b.sequence));
  if (first === undefined) return;
  side.next = first.sequence;
  listener.onLost(isFirstSide, first.packet);
  emit(side, isFirstSide, listener);
}

function end({ sides, listener }: Connection, packet?: Packet): void {
  for (const [number, side] of sides.entries()) while (side.waiting.size > 0) skip(side, number === 0, listener);
  listener.onEnd(packet);
}
