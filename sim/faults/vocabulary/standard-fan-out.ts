/** What faults of the standard make of what is sent to the members of a group. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { withBody } from './changed-answers.ts';
import { isObject, jsonIn } from './representations.ts';
import { type Arrival, beforehand, type Exchange, type When } from './standard-exchanges.ts';
import { sharing } from './standard-notifications.ts';

/** A request to the members of a group. */
export interface FanOut {
  readonly method: string;
  /** The path behind `fopt`: empty, `la`, `inner/la`. */
  readonly rest: string;
  readonly group: Resource;
  readonly members: readonly string[];
  /** The kind of what is sent, where something is. */
  readonly root: string | undefined;
  /** The address of the group is made of names. */
  readonly byName: boolean;
  /** The members were listed by their identifiers when the group was created. */
  readonly identified: boolean;
  readonly core: Cse;
}

export type Response = Attributes;
export type WhichFanOut = (fanOut: FanOut) => boolean;

/** The paths of groups whose members were listed by their identifiers: the CSE itself keeps no paths. */
const listedByIdentifiers = sharing(() => new Set<string>());

const isIdentifier = (member: unknown) => /^(\/[^/]+\/)?[^/]+$/.test(String(member));

function notice({ given, addressed, core }: Arrival): void {
  const { rn, mid } = given?.root === 'm2m:grp' ? given.attributes : {};
  if (addressed === undefined || !Array.isArray(mid) || !mid.every(isIdentifier)) return;
  listedByIdentifiers(core).add(`${addressed.path}/${rn}`);
}

function fanOutOf({ about, addressed, given, core }: Arrival): FanOut | undefined {
  const [, before = '', rest = ''] = /^(.*)\/fopt(?:\/(.*))?$/.exec(about.path) ?? [];
  if (before === '' || addressed?.type.root !== 'm2m:grp') return undefined;
  return {
    method: about.method,
    rest,
    group: addressed,
    members: membersOf(addressed),
    root: given?.root,
    byName: before.endsWith(addressed.path),
    identified: listedByIdentifiers(core).has(addressed.path),
    core,
  };
}

export function membersOf({ values }: Resource): readonly string[] {
  return Array.isArray(values.mid) ? values.mid.map(String) : [];
}

export const fanningOut =
  (which: WhichFanOut): When =>
  (arrival) => {
    const fanOut = fanOutOf(arrival);
    return fanOut !== undefined && which(fanOut);
  };

/** The answers of the members. */
function responsesIn({ answer }: Pick<Exchange, 'answer'>): readonly Response[] | undefined {
  const value = isSuccess(answer) ? jsonIn(answer.body) : undefined;
  const aggregate = isObject(value) ? value['m2m:agr'] : undefined;
  const responses = isObject(aggregate) ? aggregate['m2m:rsp'] : undefined;
  return Array.isArray(responses) ? responses : undefined;
}

function withResponses(answer: HttpResponse, responses: readonly Response[]): HttpResponse {
  return withBody(answer, { 'm2m:agr': { 'm2m:rsp': responses } });
}

/** Other answers of the members in the one answer; undefined leaves them as they are. */
export function changingResponses(
  which: WhichFanOut,
  change: (responses: readonly Response[]) => readonly Response[] | undefined,
): Wrap {
  return beforehand(async (arrival) => {
    notice(arrival);
    if (!fanningOut(which)(arrival)) return undefined;
    const answer = await arrival.serve(arrival.request);
    const responses = responsesIn({ answer });
    const changed = responses && change(responses);
    return changed === undefined ? answer : withResponses(answer, changed);
  });
}

/** While the request is served, the group has other members; undefined for those that it has. */
export function servedWithMembers(
  which: WhichFanOut,
  instead: (fanOut: FanOut) => readonly string[] | undefined,
  after: (answer: HttpResponse, fanOut: FanOut) => HttpResponse = (answer) => answer,
): Wrap {
  return beforehand(async (arrival) => {
    notice(arrival);
    const fanOut = fanOutOf(arrival);
    const mid = fanOut && which(fanOut) ? instead(fanOut) : undefined;
    if (fanOut === undefined || mid === undefined) return undefined;
    const { group, members } = fanOut;
    group.values = { ...group.values, mid };
    const answer = await arrival.serve(arrival.request);
    const gone = mid.filter((one) => !membersOf(group).includes(one));
    group.values = { ...group.values, mid: members.filter((one) => !gone.includes(one)) };
    return after(answer, fanOut);
  });
}

/** Only the first member is reached; the others are answered for as if they had been, and leave the group when they were to be deleted. */
export function reachingFirst(which: WhichFanOut): Wrap {
  return servedWithMembers(
    (fanOut) => which(fanOut) && fanOut.members.length > 1,
    ({ members }) => members.slice(0, 1),
    (answer, { group, members, method }) => {
      const [first] = responsesIn({ answer }) ?? [];
      if (method === 'DELETE') group.values = { ...group.values, mid: [] };
      return first === undefined
        ? answer
        : withResponses(
            answer,
            members.map((fr) => ({ ...first, fr })),
          );
    },
  );
}
