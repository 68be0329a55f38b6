/** The original of an announced resource (`rcn` 7, TS-0001 clause 8.1.2), fetched from the CSE that has it. */
import { originatorElsewhere } from './originator-elsewhere.ts';
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
  const from = request.from && originatorElsewhere(request.from, configuration, lnk);
  return outgoing.send(lnk, { ...others, ...(from && { from }) });
}
