/** For tests: a client of `cselab mcp`, in process or at another process. */
import assert from 'node:assert/strict';

interface RpcReply {
  readonly jsonrpc: string;
  readonly id: number | string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every method
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export class McpClient {
  readonly #write: (line: string) => void;
  readonly #waiting = new Map<number | string | null, (reply: RpcReply) => void>();
  /** Answers that nobody has waited for, and those without an id. */
  readonly others: RpcReply[] = [];
  #rest = '';
  #next = 1;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** What the server has written. Anything but messages of the protocol is a failure. */
  receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const reply = JSON.parse(line) as RpcReply;
      assert.equal(reply.jsonrpc, '2.0', line);
      const waiting = this.#waiting.get(reply.id);
      if (waiting === undefined) this.others.push(reply);
      else waiting(reply);
      this.#waiting.delete(reply.id);
    }
  }

  send(message: object): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  ask(method: string, params?: object, id: number | string = this.#next++): Promise<RpcReply> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.send({ id, method, ...(params && { params }) });
    });
  }

  /** The text of a tool's result, and whether it is an error. */
  async call(name: string, input?: object): Promise<{ readonly text: string; readonly isError: boolean }> {
    const { result, error } = await this.ask('tools/call', { name, ...(input && { arguments: input }) });
    assert.equal(error, undefined, error?.message);
    const { content, isError } = result as { content: { type: string; text: string }[]; isError: boolean };
    assert.deepEqual(
      content.map(({ type }) => type),
      ['text'],
    );
    return { text: content[0]?.text ?? '', isError };
  }
}
