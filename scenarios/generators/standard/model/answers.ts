/** What requirements say of the outcome of a request, in the words of the scenario grammar. */
import type { Matcher } from '../../../engine/grammar/grammar-matcher.ts';
import { type Expected, expected } from '../../model/expected.ts';

/** The status of each response status code (TS-0009 6.3.2), of those that the catalogue has. */
const statuses: Readonly<Record<number, number>> = {
  2000: 200,
  2001: 201,
  2002: 200,
  2004: 200,
  4000: 400,
  4004: 404,
  4005: 405,
  4103: 403,
  4105: 409,
  4108: 403,
  5207: 406,
};

interface More {
  readonly root?: Matcher;
  readonly attributes?: Readonly<Record<string, Matcher>>;
  readonly body?: Matcher;
  readonly found?: Matcher;
}

/** That the answer has this code, and the status that goes with it. */
export function answered(requirement: string, rsc: number, more: More = {}): Expected[] {
  return [expected(requirement, { rsc, ...more }), ...withStatus(rsc)];
}

/** Where the code comes, its status is this one. */
function withStatus(rsc: number): Expected[] {
  const status = statuses[rsc];
  if (status === undefined) return [];
  const source = 'TS-0009 6.3.2';
  const otherwise = { rsc: { not: rsc }, source: `${source}: where another code is answered, this row says nothing` };
  return [expected(`std.http.${rsc}`, { 'one of': [{ rsc, status, source }, otherwise] })];
}

/** One of these codes, each by its source. */
export function oneOfCodes(requirement: string, codes: Readonly<Record<number, string>>): Expected {
  const permitted = Object.entries(codes).map(([rsc, source]) => ({ rsc: Number(rsc), source }));
  return expected(requirement, { 'one of': permitted });
}
