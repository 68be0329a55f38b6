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
export function answered(requirement: string, rsc: number, more?: More): Expected[] {
  const code = more === undefined ? codeAlone(requirement, rsc) : expected(requirement, { rsc, ...more });
  const status = withStatus(rsc);
  return status === undefined ? [code] : [code, status];
}

/** By requirement and code: the same few are asked for very often. */
const codes = new Map<string, Map<number, Expected>>();

function codeAlone(requirement: string, rsc: number): Expected {
  const ofRequirement = codes.get(requirement) ?? new Map<number, Expected>();
  codes.set(requirement, ofRequirement);
  const known = ofRequirement.get(rsc) ?? expected(requirement, { rsc });
  ofRequirement.set(rsc, known);
  return known;
}

const withStatuses = new Map<number, Expected>();

/** Where the code comes, its status is this one. */
function withStatus(rsc: number): Expected | undefined {
  const known = withStatuses.get(rsc);
  const status = statuses[rsc];
  if (known !== undefined || status === undefined) return known;
  const source = 'TS-0009 6.3.2';
  const otherwise = { rsc: { not: rsc }, source: `${source}: where another code is answered, this row says nothing` };
  const made = expected(`std.http.${rsc}`, { 'one of': [{ rsc, status, source }, otherwise] });
  withStatuses.set(rsc, made);
  return made;
}

/** The address is understood: whatever is answered, it is not that nothing is there, that there is no way to it, or that it is none. */
export function understood(requirement: string): Expected {
  return expected(requirement, { rsc: { not: { 'one of': [4000, 4004, 5103] } } });
}

/** One of these codes, each by its source. */
export function oneOfCodes(requirement: string, codes: Readonly<Record<number, string>>): Expected {
  const permitted = Object.entries(codes).map(([rsc, source]) => ({ rsc: Number(rsc), source }));
  return expected(requirement, { 'one of': permitted });
}
