/** What requirements say of the outcome of a request, in the words of the scenario grammar. */
import type { Check } from '../../../engine/grammar/grammar-check.ts';
import { type Expected, expected } from '../../model/expected.ts';

/** That the answer has this code; which status goes with it, rules say but for some (TS-0009 6.3.2). */
export function answered(requirement: string, rsc: number, more?: Check): Expected[] {
  const code = expected(requirement, { rsc, ...more });
  const status = statuses.get(rsc);
  if (status === undefined) return [code];
  const source = 'TS-0009 6.3.2';
  const otherwise = { rsc: { not: rsc }, source: `${source}: where another code is answered, this row says nothing` };
  return [code, expected(`std.http.${rsc}`, { 'one of': [{ rsc, status, source }, otherwise] })];
}

const statuses: ReadonlyMap<number, number> = new Map([
  [4108, 403],
  [5207, 406],
]);

/** The address is understood: whatever is answered, it is not that nothing is there, that there is no way to it, or that it is none. */
export function understood(requirement: string): Expected {
  return expected(requirement, { rsc: { not: { 'one of': [4000, 4004, 5103] } } });
}

/** One of these codes, each by its source. */
export function oneOfCodes(requirement: string, codes: Readonly<Record<number, string>>): Expected {
  const permitted = Object.entries(codes).map(([rsc, source]) => ({ rsc: Number(rsc), source }));
  return expected(requirement, { 'one of': permitted });
}
