/** Replaces `node:test` where tests run again and again in one process: in their order, until one fails. */
import { performance } from 'node:perf_hooks';

type Body = (context: Context) => unknown;
interface Context {
  after(body: () => unknown): void;
  diagnostic(): void;
  test(name: string, body: Body): Promise<void>;
}
export interface TestRegistry {
  readonly tests: { readonly name: string; readonly body: Body }[];
  readonly before: (() => unknown)[];
  readonly after: (() => unknown)[];
}

/** Milliseconds that a test may wait; computing does not count, since that depends on the load of the machine. */
const longest = 5_000;

declare global {
  var testRegistry: TestRegistry;
}

export function test(name: string, ...rest: unknown[]): void {
  const body = rest.at(-1) as Body;
  const { skip } = (rest.length > 1 ? rest[0] : {}) as { skip?: unknown };
  if (!skip) globalThis.testRegistry.tests.push({ name, body });
}
export const it: typeof test = (name, ...rest) => test(name, ...rest);
export const describe = (_name: string, ...rest: unknown[]): void => (rest.at(-1) as () => void)();
export const before = (body: () => unknown): number => globalThis.testRegistry.before.push(body);
export const after = (body: () => unknown): number => globalThis.testRegistry.after.push(body);

/** Throws what the test throws. */
export async function runBody(body: Body, limit = longest): Promise<void> {
  const cleanups: (() => unknown)[] = [];
  const context: Context = {
    after: (one) => cleanups.push(one),
    diagnostic: () => undefined,
    test: (_, inner) => runBody(inner),
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    const start = performance.eventLoopUtilization();
    const check = () => performance.eventLoopUtilization(start).idle > limit && reject(new Error('waited too long'));
    timer = setInterval(check, limit / 10);
  });
  try {
    await Promise.race([body(context), late]);
  } finally {
    clearInterval(timer);
    for (const one of cleanups) await one();
  }
}
