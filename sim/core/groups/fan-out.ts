/** A request to the fan-out point of a group goes to each member (TS-0001, clause 10.2.7; TS-0004, clause 7.4.14). */
import { isRemote } from '../address.ts';
import { dismissDeleted } from '../memberships.ts';
import { originatorElsewhere } from '../originator.ts';
import type { Answer, RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import { requestedType } from '../requested-type.ts';
import type { Resource } from '../resource.ts';
import type { Services } from '../services.ts';
import { CseError, ifRefused, statuses } from '../status.ts';
import { gather, throughGroup } from './fan-out-notifications.ts';

/** One element of `m2m:agr`. */
type MemberResponse = Readonly<Record<string, unknown>>;

/** `rest` is the path behind `fopt`, appended to the address of each member. */
export function fanOut(group: Resource, rest: string, services: Services, request: RequestPrimitive): Answer {
  const gathered = gather(group, request, services);
  if (gathered !== undefined) return gathered;
  checkRights(group, request, services);
  const members = (group.values.mid as readonly string[] | undefined) ?? [];
  if (members.length === 0) throw new CseError('NO_MEMBERS', `The group ${group.path} has no members.`);
  const identifier = request.groupRequestIdentifier ?? newIdentifier(group, rest, members, services);
  const isFirst = identifier !== undefined && request.groupRequestIdentifier === undefined;
  const sent: RequestPrimitive = {
    ...memberRequest(throughGroup(group, request, services)),
    ...(identifier && { groupRequestIdentifier: identifier }),
  };
  const responses = members.map((member) => askMember(member, rest, sent, services));
  const end = () => {
    if (isFirst) services.groupRequests.end(identifier);
  };
  if (responses.some((response) => response instanceof Promise)) {
    return arrivedInTime(responses, request, services)
      .then((arrived) => {
        if (request.operation === 'delete' && rest === '') dismissDeleted(group, arrived, services);
        return aggregated(arrived);
      })
      .finally(end);
  }
  end();
  return aggregated(responses as readonly MemberResponse[]);
}

/** The outer status is OK, whatever the operation and the members' answers. */
function aggregated(responses: readonly MemberResponse[]): ResponsePrimitive {
  return { status: statuses.OK, content: { 'm2m:agr': { 'm2m:rsp': responses } } };
}

function checkRights(group: Resource, request: RequestPrimitive, { access, configuration }: Services): void {
  const discovers = request.operation === 'retrieve' && request.filterCriteria?.filterUsage === 1;
  const child = request.operation === 'create' ? requestedType(request, configuration) : undefined;
  access.checkFanOut(request, discovers ? 'discover' : request.operation, group, child);
}

/** Undefined unless a member is a group: only then can a resource be reached twice. */
function newIdentifier(
  resource: Resource,
  rest: string,
  members: readonly string[],
  { groupRequests }: Services,
): string | undefined {
  const virtual = resource.type.virtual?.get('fopt');
  if (virtual === undefined || !members.some((member) => /\/fopt(\/|$)/.test(`${member}/${rest}`))) return undefined;
  return groupRequests.begin({ resource, handler: { virtual, rest } });
}

/** Without the parameters that concern the answer as a whole. */
function memberRequest(request: RequestPrimitive): RequestPrimitive {
  const {
    responseType: _type,
    notificationTargets: _targets,
    resultExpiration: _expiration,
    resultPersistence: _persistence,
    operationExecutionTime: _time,
    ...others
  } = request;
  return others;
}

function askMember(
  member: string,
  rest: string,
  request: RequestPrimitive,
  services: Services,
): MemberResponse | Promise<MemberResponse> {
  const { configuration } = services;
  const to = rest === '' ? member : `${member}/${rest}`;
  const toResponse = (response: ResponsePrimitive) => memberResponse(response, to, member, request);
  if (!isRemote(member, configuration)) {
    const answer = services.request({ ...request, to });
    return answer instanceof Promise ? answer.then(toResponse) : toResponse(answer);
  }
  const { to: _to, ...sent } = request;
  const from = originatorElsewhere(request.from ?? '', configuration, to) || services.outgoing.originator;
  const failed = ({ status, message }: CseError) => toResponse({ status, content: { 'm2m:dbg': message } });
  return services.outgoing.send(to, { ...sent, from }).then(toResponse, ifRefused(failed));
}

function memberResponse(
  { status, content, contentLocation }: ResponsePrimitive,
  to: string,
  member: string,
  { requestIdentifier: rqi = '', releaseVersionIndicator: rvi }: RequestPrimitive,
): MemberResponse {
  return { rsc: status.code, rqi, rvi, to: contentLocation ?? to, fr: member, pc: content };
}

/** The responses that arrive before the result expires, in the order of the members. */
async function arrivedInTime(
  responses: readonly (MemberResponse | Promise<MemberResponse>)[],
  { resultExpiration }: RequestPrimitive,
  { ports: { clock } }: Services,
): Promise<readonly MemberResponse[]> {
  if (resultExpiration === undefined) return Promise.all(responses);
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.schedule((resultExpiration - clock.now()) / 1000, () => resolve(undefined));
  });
  const all = await Promise.all(responses.map((response) => Promise.race([response, late])));
  cancel();
  const arrived = all.filter((response) => response !== undefined);
  if (arrived.length > 0) return arrived;
  throw new CseError('GROUP_MEMBERS_NOT_RESPONDED', 'No member of the group has answered before the result expired.');
}
