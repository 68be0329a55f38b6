import type { LoadedCheck, LoadedScenario } from '../files/load.ts';

/** What is written by HTTP itself, whatever answers. */
const headersOfHttp = ['content-length', 'transfer-encoding', 'connection', 'date'];

/** Whether a scenario says how a request is written to the wire or over which connection it goes, or looks at such things. */
export function isOnTheWire({ given, steps }: Pick<LoadedScenario, 'given' | 'steps'>): boolean {
  return [...given, ...steps].some(
    ({ step, checks }) => 'raw' in step || ('over' in step && step.over !== undefined) || checks.some(looksAtHttp),
  );
}

function looksAtHttp({ check }: LoadedCheck): boolean {
  return [check, ...(check['one of'] ?? [])].some(({ header = {} }) =>
    Object.keys(header).some((name) => headersOfHttp.includes(name.toLowerCase())),
  );
}
