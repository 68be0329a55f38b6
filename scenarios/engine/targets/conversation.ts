import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ReceivedAnswer } from '../messages/exchange.ts';
import { AnswerReader } from './answer-reader.ts';
import { type Failure, failureOf, untrusted } from './failure.ts';
import { openSocket, type SocketOptions, whenTicketCame } from './socket.ts';
import type { Conversation, Turn } from './target.ts';
import { factsOf } from './tls.ts';

type Line = Pick<SocketOptions, 'host' | 'port' | 'tls'>;

/** Milliseconds between two segments, lest they are read as one. */
const apart = 2;
/** Answers that are read; more are those of a target that pours. */
const mostAnswers = 1000;

/** Opens a connection, takes the turns in order, and reads what comes. Ends in bounded time and never rejects. */
export async function converse(turns: readonly Turn[], line: Line): Promise<Conversation> {
  const speaker = new Speaker(line);
  try {
    const [first] = turns;
    await speaker.until(() => speaker.isReady, first?.within ?? 0);
    let expected = 0;
    for (const turn of turns) {
      if (speaker.isOver || !speaker.isReady) break;
      await speaker.say(turn);
      expected += turn.methods.length;
      const enough = expected;
      await speaker.until(() => speaker.answers.length >= enough, turn.within);
    }
    return speaker.heard;
  } finally {
    speaker.close();
  }
}

class Speaker {
  readonly answers: ReceivedAnswer[] = [];
  isReady = false;
  isOver = false;
  readonly #socket: Socket;
  readonly #line: Line;
  readonly #methods: string[] = [];
  #reader: AnswerReader | undefined;
  #end: Conversation['end'] = 'open';
  #failure: Failure | undefined;
  #stopWaiting = (): void => {};
  #look = (): void => {};

  constructor(line: Line) {
    this.#line = line;
    this.#socket = openSocket(line);
    const socket = this.#socket;
    socket.on('data', (bytes: Buffer) => this.#hear(bytes));
    socket.on('error', (error) => this.#broke(error));
    socket.on('end', () => this.#over('closed'));
    socket.on('close', () => this.#over('closed'));
    if (socket instanceof TLSSocket) socket.on('secureConnect', () => this.#secured(socket));
    else socket.on('connect', () => this.#ready());
  }

  get heard(): Conversation {
    const { answers } = this;
    return { answers, end: this.#end, ...(this.#failure && { failure: this.#failure }) };
  }

  /** Resolves when it is so, when the connection is over, or after so many milliseconds. */
  until(isSo: () => boolean, within: number): Promise<void> {
    return new Promise((resolve) => {
      const limit = setTimeout(resolve, within);
      this.#look = () => {
        if (!isSo() && !this.isOver) return;
        clearTimeout(limit);
        resolve();
      };
      this.#look();
    });
  }

  async say({ bytes, cuts = [], methods, afterwards }: Turn): Promise<void> {
    this.#methods.push(...methods);
    let from = 0;
    for (const to of [...cuts, bytes.length]) {
      if (from > 0) await new Promise((resolve) => setTimeout(resolve, apart));
      if (this.isOver) return;
      this.#socket.write(bytes.subarray(from, to));
      from = to;
    }
    if (afterwards === 'end') this.#socket.end();
    if (afterwards === 'reset') {
      await this.until(() => this.#socket.writableLength === 0, apart);
      // What runs over TLS cannot be reset; it is cut without a farewell.
      if (this.#socket instanceof TLSSocket) this.#socket.destroy();
      else this.#socket.resetAndDestroy();
    }
  }

  close(): void {
    this.#stopWaiting();
    this.#socket.destroy();
  }

  #secured(socket: TLSSocket): void {
    const { trust = {} } = this.#line.tls ?? {};
    this.#failure = untrusted(factsOf(socket, trust), trust);
    if (this.#failure !== undefined) this.#over('closed');
    else this.#stopWaiting = whenTicketCame(socket, () => this.#ready());
  }

  #ready(): void {
    this.isReady = true;
    this.#look();
  }

  #hear(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0 && this.#failure === undefined; ) {
      this.#reader ??= new AnswerReader(this.#methods[this.answers.length] ?? 'GET');
      this.#reader.push(rest);
      const { state } = this.#reader;
      rest = this.#reader.rest;
      if (state.kind === 'malformed') this.#failure = { kind: 'malformed', message: state.message };
      if (state.kind === 'complete') this.#complete(state.answer);
    }
    if (this.#failure !== undefined) this.#over('open');
    this.#look();
  }

  #complete(answer: ReceivedAnswer): void {
    this.#reader = undefined;
    this.answers.push(answer);
    if (this.answers.length < mostAnswers) return;
    this.#failure = { kind: 'malformed', message: `${mostAnswers} answers came` };
  }

  #broke(error: unknown): void {
    // What was answered before is what counts: a reset then only says that nothing more comes.
    const failure = failureOf(error);
    if (!this.isReady && failure !== undefined) this.#failure = failure;
    this.#over('reset');
  }

  #over(end: Conversation['end']): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#end = end;
    this.#reader?.end();
    if (this.#reader?.state.kind === 'complete') this.#complete(this.#reader.state.answer);
    this.#look();
  }
}
