import type { Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { CseError } from '../core/status.ts';
import type { HttpRequest, HttpService } from '../dialects/http-message.ts';
import {
  badTarget,
  bodyTooLarge,
  methodNotAllowed,
  originForm,
  refusalOfHead,
  tooManyHeaders,
  unmetExpectation,
} from './admission.ts';
import { Connection } from './connection.ts';
import type { BodyReceiver, IncomingRequest } from './incoming-request.ts';
import type { HttpLimits } from './limits.ts';
import { brokeTls, incident, ofBytes, ofTls, type ParseError, refusalOfBytes, stoppedOnHead } from './parse-error.ts';
import { lastMessage, Serving, type ServingHooks } from './serving.ts';
import { acceptAnyway, objectionTo } from './tls.ts';

type NodeServer =
  | Server<typeof IncomingRequest, typeof ServerResponse<IncomingRequest>>
  | TlsServer<typeof IncomingRequest, typeof ServerResponse<IncomingRequest>>;

interface ShellHooks extends Omit<ServingHooks, 'isClosing' | 'reset'> {
  readonly overlooks?: ((objection: string) => boolean) | undefined;
}

/** Between node's server and the service: refuses requests or hands them over, and writes the answers. */
export class HttpShell implements BodyReceiver {
  private readonly server: NodeServer;
  private readonly service: HttpService;
  private readonly limits: HttpLimits;
  private readonly serving: Serving;
  private readonly hooks: ShellHooks;
  private readonly connections = new Map<Socket, Connection>();
  /** TCP connections on which TLS is still to come, by the client's address. */
  private readonly handshakes = new Map<string, Socket>();
  private closing = false;

  constructor(server: NodeServer, service: HttpService, limits: HttpLimits, hooks: ShellHooks) {
    this.server = server;
    this.service = service;
    this.limits = limits;
    const reset = (socket: Socket): void => this.connectionOf(socket).reset();
    this.serving = new Serving(service, { ...hooks, isClosing: () => this.closing, reset });
    this.hooks = hooks;
    if (server instanceof TlsServer) server.on('connection', (socket: Socket) => this.awaitHandshake(socket));
    else server.on('connection', (socket: Socket) => this.connectionOf(socket));
    server.on('secureConnection', (socket: TLSSocket) => this.onSecured(socket));
    server.on('request', (message, response) => this.admit(message, response, false));
    server.on('checkContinue', (message, response) => this.admit(message, response, true));
    server.on('checkExpectation', (message) => this.refuse(message, unmetExpectation()));
    server.on('connect', (message) => this.refuse(message, methodNotAllowed()));
    server.on('clientError', (error: ParseError, socket) => this.refuseBytes(error, socket as Socket));
  }

  /** Resolves when every connection is gone; running requests have the time of the limit to finish. */
  close(): Promise<void> {
    this.closing = true;
    return new Promise((resolve) => {
      const cut = setTimeout(() => this.destroyConnections(() => true), this.limits.closeMilliseconds);
      this.server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      this.server.closeIdleConnections();
      // node counts a connection that has not sent anything yet as busy.
      this.destroyConnections((connection) => connection.untouched);
      for (const socket of this.handshakes.values()) socket.destroy();
    });
  }

  /** Cuts every connection, also busy ones. */
  cut(): void {
    this.destroyConnections(() => true);
    for (const socket of this.handshakes.values()) socket.destroy();
  }

  complete(message: IncomingRequest, response: ServerResponse, body: Uint8Array): void {
    const connection = this.connectionOf(message.socket);
    if (connection.refused) return;
    const method = message.method ?? '';
    const target = originForm(method, message.url ?? '');
    if (target === undefined) {
      this.refuse(message, badTarget());
      return;
    }
    if (message.rawTrailers.length > 2 * this.limits.headerCount) {
      this.refuse(message, tooManyHeaders(this.limits));
      return;
    }
    connection.latest = response;
    if (isLast(message)) connection.ignoreRest();
    // node has joined repeated headers; only Set-Cookie, which no request has, would be an array.
    const headers = message.headers as HttpRequest['headers'];
    const { peer, address } = connection;
    const request =
      peer === undefined
        ? { method, target, headers, body, address }
        : { method, target, headers, body, address, peer };
    this.serving.enqueue(request, response);
  }

  tooLarge(message: IncomingRequest): void {
    this.refuse(message, bodyTooLarge(this.limits));
  }

  private admit(message: IncomingRequest, response: ServerResponse, askedToContinue: boolean): void {
    const refusal = refusalOfHead(message, this.limits);
    if (refusal !== undefined) {
      this.refuse(message, refusal);
      return;
    }
    if (isLast(message)) response.shouldKeepAlive = false;
    message.accept(response, this.limits.bodyBytes, this);
    if (askedToContinue) response.writeContinue();
  }

  private refuse(message: IncomingRequest, refusal: CseError): void {
    this.connectionOf(message.socket).refuse(this.lastMessageFor(refusal, message.method === 'HEAD'));
  }

  private awaitHandshake(socket: Socket): void {
    const client = clientOf(socket);
    this.handshakes.set(client, socket);
    socket.once('close', () => {
      if (this.handshakes.get(client) === socket) this.handshakes.delete(client);
    });
  }

  /** `gaps`, row 36: a client whose certificate cannot be verified gets no HTTP answer. */
  private onSecured(socket: TLSSocket): void {
    const client = clientOf(socket);
    const underneath = this.handshakes.get(client);
    this.handshakes.delete(client);
    const found = objectionTo(socket);
    if (found !== undefined && this.hooks.overlooks?.(found)) acceptAnyway(socket);
    const objection = objectionTo(socket);
    this.connectionOf(socket, underneath);
    // As over plain HTTP: a client that closes its sending side still gets its answer (RFC 8446, clause 6.1).
    socket.allowHalfOpen = true;
    if (objection === undefined) return;
    this.hooks.onIncident(incident(socket, `the client's certificate cannot be verified: ${objection}`));
    socket.destroy();
  }

  private refuseBytes(error: ParseError, socket: Socket): void {
    if (socket instanceof TLSSocket && !this.connections.has(socket)) {
      // Without a handshake the client could not read an answer.
      this.hooks.onIncident(incident(socket, ofTls(error)));
      socket.destroy();
      return;
    }
    const seen = brokeTls(error) ? `the TLS connection broke: ${error.code}` : ofBytes(error);
    if (seen !== undefined) this.hooks.onIncident(incident(socket, seen));
    const connection = this.connectionOf(socket);
    // The answer to the request that asked for the close is the last one; the rest is ignored.
    if (connection.refused || error.code === 'HPE_CLOSED_CONNECTION') return;
    const refusal = refusalOfBytes(error, this.limits);
    if (refusal === undefined) socket.destroy();
    else connection.refuse(this.lastMessageFor(refusal, stoppedOnHead(error)));
  }

  /** Empty when the service fails even on this; the connection then ends without an answer. */
  private lastMessageFor(refusal: CseError, withoutBody: boolean): Buffer {
    try {
      return lastMessage(this.service.refuse(refusal), withoutBody);
    } catch (error) {
      this.hooks.onError(error);
      return Buffer.alloc(0);
    }
  }

  private connectionOf(socket: Socket, underneath = socket): Connection {
    const known = this.connections.get(socket);
    if (known !== undefined) return known;
    const connection = new Connection(socket, this.limits, underneath);
    this.connections.set(socket, connection);
    socket.once('close', () => this.connections.delete(socket));
    return connection;
  }

  private destroyConnections(which: (connection: Connection) => boolean): void {
    for (const connection of this.connections.values()) {
      if (which(connection)) connection.socket.destroy();
    }
  }
}

/**
 * An Upgrade is ignored, as RFC 9110, clause 7.8, permits. Yet node's parser drops what came in one piece with it, and would take the rest
 * for requests: all of it is ignored.
 */
const isLast = ({ headers }: IncomingRequest): boolean => headers.upgrade !== undefined;

const clientOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
