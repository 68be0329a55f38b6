/** The original of an announced resource (`rcn` 7, TS-0001 clause 8.1.2), fetched from the CSE that has it. */
import type { CseConfiguration } from './configuration.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import { BAD_REQUEST, CseError } from './status.ts';

export function retrieveOriginal(
  request: RequestPrimitive,
  resource: Resource,
  { outgoing, configuration }: Services,
): Promise<ResponsePrimitive> {
  const { lnk } = resource.values;
  if (typeof lnk !== 'string') throw new CseError(BAD_REQUEST, 'rcn 7 is for announced resources.');
  const { resultContent: _original, filterCriteria: _criteria, ...others } = request;
  return outgoing.send(lnk, { ...others, ...originatorElsewhere(request, configuration) });
}

/** Who is called `CAE` here is somebody else at another CSE: it is told in the absolute form (TS-0001, clause 7.2). */
function originatorElsewhere(
  { from }: RequestPrimitive,
  { spId, cseId }: CseConfiguration,
): Pick<RequestPrimitive, 'from'> {
  if (from === undefined || from === '' || from.startsWith('//')) return {};
  return { from: from.startsWith('/') ? `//${spId}${from}` : `//${spId}/${cseId}/${from}` };
}
