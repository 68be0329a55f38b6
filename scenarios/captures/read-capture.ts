/** Reads the exchanges in a capture, over HTTP, WebSocket, MQTT and CoAP. */

import { UsageError } from '../engine/basics/diagnostics.ts';
import { orPackage } from '../engine/targets/wires/route.ts';
import type { CapturedExchange } from './captured.ts';
import { HttpStream } from './http-stream.ts';
import { type Packet, packetsIn } from './packets.ts';
import { MqttStream, PrimitivePairing } from './primitive-pairing.ts';
import { type Segment, segmentIn } from './segments.ts';
import { type StreamListener, TcpStreams } from './streams.ts';

const coapPort = /:5683$/;

/** Ordered by beginning. Throws a UsageError with the number of an invalid packet. */
export async function readCapture(bytes: Buffer, file: string): Promise<CapturedExchange[]> {
  const found: CapturedExchange[] = [];
  const take = (one: CapturedExchange) => void found.push(one);
  const overMqtt = new PrimitivePairing(take);
  const connections: Connection[] = [];
  const streams = new TcpStreams((from, to) => {
    const connection = new Connection({ from, to, take, overMqtt });
    connections.push(connection);
    return connection;
  });
  const datagrams: Segment[] = [];
  for (const packet of packetsIn(bytes, file)) {
    const segment = segmentIn(packet);
    if (segment?.protocol === 'tcp') streams.take(segment);
    else if (segment !== undefined) datagrams.push(segment);
  }
  streams.end();
  overMqtt.end();
  await readDatagrams(datagrams.filter(mayBeCoap), take);
  const secret = connections.filter(({ isSecret }) => isSecret).length;
  if (found.length === 0 && secret > 0)
    throw new UsageError(`${file} holds nothing that can be read: ${secret} of its connections are TLS`);
  return found.sort((a, b) => a.from - b.from);
}

const isAtHome = ({ from, to }: Segment): boolean => coapPort.test(from) || coapPort.test(to);
/** By the version of CoAP (RFC 7252, clause 3). */
const mayBeCoap = ({ payload }: Segment): boolean => (payload[0] ?? 0) >> 6 === 1;

/** At other ports, CoAP is recognised by the options of oneM2M, if the package for it is installed. */
async function readDatagrams(datagrams: readonly Segment[], take: (captured: CapturedExchange) => void): Promise<void> {
  if (datagrams.length === 0) return;
  const isNeeded = datagrams.some(isAtHome);
  const loaded = await import('./coap-stream.ts').catch(isNeeded ? orPackage('CoAP', 'coap-packet') : () => undefined);
  if (loaded === undefined) return;
  const stream = new loaded.CoapStream(take);
  for (const one of datagrams) stream.take(one, isAtHome(one));
  stream.end();
}

interface ConnectionContext {
  /** The side that sent first, and the other. */
  readonly from: string;
  readonly to: string;
  readonly take: (captured: CapturedExchange) => void;
  readonly overMqtt: PrimitivePairing;
}

/** A connection whose protocol is recognised by its first bytes. */
class Connection implements StreamListener {
  readonly #context: ConnectionContext;
  #stream: StreamListener | undefined;
  isSecret = false;

  constructor(context: ConnectionContext) {
    this.#context = context;
  }

  onData(isFirstSide: boolean, bytes: Buffer, packet: Packet): void {
    this.#stream ??= this.#streamOf(isFirstSide, bytes);
    this.#stream?.onData(isFirstSide, bytes, packet);
  }

  onLost(isFirstSide: boolean, packet: Packet): void {
    this.#stream?.onLost(isFirstSide, packet);
    // The protocol may be recognised again.
    this.#stream = undefined;
  }

  onEnd(packet: Packet | undefined): void {
    this.#stream?.onEnd(packet);
  }

  #streamOf(isFirstSide: boolean, bytes: Buffer): StreamListener | undefined {
    const { from, to, take, overMqtt } = this.#context;
    const start = bytes.subarray(0, 512).toString('latin1');
    this.isSecret ||= bytes[0] === 22 && bytes[1] === 3;
    if (/^[A-Z][A-Z-]{1,19} \S/.test(start)) return new HttpStream(isFirstSide ? to : from, isFirstSide, take);
    const isConnecting = bytes[0] === 0x10 && /MQ(TT|Isdp)/.test(start.slice(2, 14));
    const isPublishing = (bytes[0] ?? 0) >> 4 === 3 && /oneM2M\/re(q|sp)\//.test(start);
    if (isConnecting) return new MqttStream(isFirstSide ? to : from, overMqtt);
    return isPublishing ? new MqttStream(/:8?1883$/.test(from) ? from : to, overMqtt) : undefined;
  }
}
