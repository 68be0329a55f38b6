import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Peer } from '../dialects/http-message.ts';
import type { HttpLimits } from './limits.ts';
import { objectionTo, peerOf } from './tls.ts';

/** One client connection: remembers its pending response, and ends with a refusal when one is due. */
export class Connection {
  readonly socket: Socket;
  /** That of TCP, where TLS runs over it; otherwise the same. */
  private readonly underneath: Socket;
  /** Set with the first refusal, or from the start: nothing of this connection is read any more. */
  refused: boolean;
  /** The latest response that belongs to an accepted request; responses finish in order. */
  latest: ServerResponse | undefined;
  /** Who TLS says the client is; undefined over plain HTTP. */
  readonly peer: Peer | undefined;
  /** IP address of the client. */
  readonly address: string;
  private readonly limits: HttpLimits;

  constructor(socket: Socket, limits: HttpLimits, underneath: Socket) {
    this.socket = socket;
    this.underneath = underneath;
    this.limits = limits;
    this.peer = peerOf(socket);
    this.address = socket.remoteAddress ?? '';
    // With TLS 1.3 a request can come together with the certificate, and be parsed though the socket is destroyed by then.
    this.refused = objectionTo(socket) !== undefined;
    // node's own listener goes away with CONNECT; a client's reset must not become an uncaught error.
    socket.on('error', () => {});
  }

  /** True when the client has sent nothing so far. */
  get untouched(): boolean {
    return this.socket.bytesRead === 0;
  }

  /** Ends the connection by a TCP reset. */
  reset(): void {
    this.underneath.resetAndDestroy();
    this.socket.destroy();
  }

  /** The answer to the latest request is the last one; what follows that request is read and dropped. */
  ignoreRest(): void {
    this.refused = true;
    this.drain();
  }

  /** Sends the bytes of the refusal after everything that is answered before it, then ends the connection. */
  refuse(bytes: Buffer): void {
    if (this.refused) return;
    this.refused = true;
    this.drain();
    const { latest } = this;
    if (latest === undefined || latest.writableFinished) this.end(bytes);
    else latest.once('finish', () => this.end(bytes));
  }

  /**
   * Closing a socket with unread bytes resets the connection, and a reset can take the answer away from the client
   * (RFC 9112, clause 9.6). So the sending side is closed first, and what still comes is read and dropped for a while.
   */
  private end(bytes: Buffer): void {
    const { socket } = this;
    // An answer before this one may have closed the connection, as its client asked.
    if (socket.destroyed || socket.writableEnded) return;
    socket.setTimeout(0);
    const cut = setTimeout(() => socket.destroy(), this.limits.drainMilliseconds);
    socket.once('close', () => clearTimeout(cut));
    socket.end(bytes);
  }

  /** Takes the connection away from the HTTP parser. Over the limit nothing is read any more; the time limit ends it. */
  private drain(): void {
    const { socket } = this;
    let left = this.limits.drainBytes;
    socket.removeAllListeners('data');
    socket.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left < 0) socket.pause();
    });
    socket.resume();
  }
}
