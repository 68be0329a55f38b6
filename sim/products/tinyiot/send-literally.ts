import { connect, type Socket } from 'node:net';
import { type OutgoingAnswer, type OutgoingRequest, UnreachableError } from '../../dialects/outgoing-message.ts';

/** Milliseconds for one request with its answer. */
const patience = 5000;

/** Sends a request whose target is not a path, as it is. Rejects with an UnreachableError where no answer comes. */
export async function sendLiterally(
  baseUrl: string,
  { method, target, headers, body }: OutgoingRequest,
): Promise<OutgoingAnswer> {
  const { hostname, port, host } = new URL(baseUrl);
  const content = Buffer.from(body ?? '');
  const told = { Host: host, ...headers, Connection: 'close', 'Content-Length': String(content.length) };
  const head = [`${method} ${target} HTTP/1.1`, ...Object.entries(told).map(([name, value]) => `${name}: ${value}`)];
  const socket = connect({ host: hostname, port: Number(port || 80) });
  socket.setTimeout(patience, () => socket.destroy());
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content]));
  return answerIn(await everythingFrom(socket));
}

async function everythingFrom(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of socket) pieces.push(piece);
  } catch {
    // What came before the connection broke is looked at all the same.
  }
  return Buffer.concat(pieces).toString();
}

function answerIn(text: string): OutgoingAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new UnreachableError('No answer came');
  const named = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status, headers: Object.fromEntries(named), body };
}
