import { IncomingMessage, type ServerResponse } from 'node:http';

/** Gets the body of a request. */
export interface BodyReceiver {
  complete(request: IncomingRequest, response: ServerResponse, body: Uint8Array): void;
  tooLarge(request: IncomingRequest): void;
}

/**
 * A request whose body is taken where node's parser hands it over. A reader of the stream would get the same bytes some
 * turns of the event loop later; here the requests of a connection are complete in the order in which they were sent,
 * and no stream machinery runs for a body that arrives in one piece.
 */
export class IncomingRequest extends IncomingMessage {
  private bodyReceiver: BodyReceiver | undefined;
  private response: ServerResponse | undefined;
  private bodyLimit = 0;
  private bodyLength = 0;
  private pieces: Uint8Array[] = [];

  /** From now on the body is collected. The body of a request that is never accepted is dropped. */
  accept(response: ServerResponse, bodyLimit: number, receiver: BodyReceiver): void {
    this.response = response;
    this.bodyLimit = bodyLimit;
    this.bodyReceiver = receiver;
  }

  override push(piece: Uint8Array | null): boolean {
    const { bodyReceiver, response } = this;
    if (bodyReceiver === undefined || response === undefined) return true;
    if (piece !== null) {
      this.collect(piece, bodyReceiver);
      return true;
    }
    this.bodyReceiver = undefined;
    const [first = NO_BODY, ...further] = this.pieces;
    bodyReceiver.complete(this, response, further.length === 0 ? first : Buffer.concat(this.pieces));
    return true;
  }

  private collect(piece: Uint8Array, receiver: BodyReceiver): void {
    this.bodyLength += piece.length;
    if (this.bodyLength <= this.bodyLimit) {
      this.pieces.push(piece);
      return;
    }
    this.bodyReceiver = undefined;
    this.pieces = [];
    receiver.tooLarge(this);
  }
}

const NO_BODY = new Uint8Array(0);
