/** JSON-RPC 2.0 over lines, as in the stdio transport of the Model Context Protocol: one message a line, answers in any order. */
import { z } from 'zod';

/** A message or request that is answered by an error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(kind: keyof typeof codes, message: string) {
    super(message);
    this.code = codes[kind];
  }
}

/** Of JSON-RPC 2.0, clause 5.1. */
const codes = {
  ...{ 'parse error': -32_700, 'invalid request': -32_600, 'method not found': -32_601, 'invalid params': -32_602 },
  ...{ 'internal error': -32_603 },
} as const;

const shape = z.object({
  ...{ jsonrpc: z.literal('2.0'), id: z.union([z.string(), z.int()]).optional(), method: z.string() },
  params: z.record(z.string(), z.unknown()).default({}),
});

type Message = z.infer<typeof shape>;

/** Runs a method; `signal` is aborted when the client cancels it or goes away. */
export type Method = (parameters: Message['params'], signal: AbortSignal) => unknown;

/** Characters of one message. */
const longestLine = 1024 * 1024;

/** Answers the messages of a stream until it ends; pending methods are then aborted, and awaited. */
export async function serveLines(
  input: AsyncIterable<unknown>,
  write: (line: string) => void,
  methods: ReadonlyMap<string, Method>,
): Promise<void> {
  const open = new Map<unknown, AbortController>();
  const working: Promise<void>[] = [];
  const answer = async (message: Message | RpcError) => {
    const { id = null } = message instanceof RpcError ? {} : message;
    const controller = new AbortController();
    open.set(id, controller);
    const outcome = await respond(message, methods, controller.signal);
    open.delete(id);
    // A cancelled request gets no answer.
    if (!controller.signal.aborted) write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
  };
  for await (const line of linesIn(input)) {
    const message = messageIn(line);
    if (message instanceof RpcError || message.id !== undefined) working.push(answer(message));
    else if (message.method === 'notifications/cancelled') open.get(message.params.requestId)?.abort();
  }
  for (const controller of open.values()) controller.abort();
  await Promise.all(working);
}

async function respond(message: Message | RpcError, methods: ReadonlyMap<string, Method>, signal: AbortSignal) {
  try {
    if (message instanceof RpcError) throw message;
    const { method, params } = message;
    const call = methods.get(method);
    if (call === undefined) throw new RpcError('method not found', `There is no method ${JSON.stringify(method)}.`);
    return { result: await call(params, signal) };
  } catch (error) {
    const { code, message: says } = error instanceof RpcError ? error : new RpcError('internal error', String(error));
    return { error: { code, message: says } };
  }
}

function messageIn(line: string): Message | RpcError {
  if (line.length > longestLine)
    return new RpcError('invalid request', `A message has more than ${longestLine} characters.`);
  try {
    const { data, error } = shape.safeParse(JSON.parse(line));
    return data ?? new RpcError('invalid request', z.prettifyError(error));
  } catch {
    return new RpcError('parse error', 'A line is not JSON.');
  }
}

/** Lines that are not empty; one that is too long is cut just beyond the limit. */
async function* linesIn(input: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine + 1);
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}
