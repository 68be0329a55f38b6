/** Stands for `node:test` where tests run again and again in one process: in the order in which they stand, until one fails. */
import { performance } from 'node:perf_hooks';

type Body = (context: Context) => unknown;
interface Context {
  after(body: () => unknown): void;
  diagnostic(): void;
  test(name: string, body: Body): Promise<void>;
}
export interface Held {
  readonly tests: { readonly name: string; readonly body: Body }[];
  readonly before: (() => unknown)[];
  readonly after: (() => unknown)[];
}

/** Milliseconds for which a test waits, as if for what never comes; how long it computes depends on what else runs on the machine. */
const longest = 5_000;

declare global {
  var heldTests: Held;
}

export function test(name: string, ...rest: unknown[]): void {
  const body = rest.at(-1) as Body;
  const { skip } = (rest.length > 1 ? rest[0] : {}) as { skip?: unknown };
  if (!skip) globalThis.heldTests.tests.push({ name, body });
}
export const it: typeof test = (name, ...rest) => test(name, ...rest);
export const describe = (_name: string, ...rest: unknown[]): void => (rest.at(-1) as () => void)();
export const before = (body: () => unknown): number => globalThis.heldTests.before.push(body);
export const after = (body: () => unknown): number => globalThis.heldTests.after.push(body);

/** Throws what the test throws. */
export async function runBody(body: Body, most = longest): Promise<void> {
  const later: (() => unknown)[] = [];
  const context: Context = {
    after: (one) => later.push(one),
    diagnostic: () => undefined,
    test: (_, inner) => runBody(inner),
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    const start = performance.eventLoopUtilization();
    const look = () => performance.eventLoopUtilization(start).idle > most && reject(new Error('waited too long'));
    timer = setInterval(look, most / 10);
  });
  try {
    await Promise.race([body(context), late]);
  } finally {
    clearInterval(timer);
    for (const one of later) await one();
  }
}
