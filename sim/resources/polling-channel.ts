import { remoteCseType } from '../core/numbers.ts';
import type { Answer, RequestPrimitive } from '../core/primitive.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { CseError } from '../core/status.ts';
import { optional } from './attribute-forms.ts';
import { common } from './common.ts';

/** Polling channel (TS-0001, clause 9.6.21), with its pollingChannelURI `pcu`. */
export const pollingChannel: ResourceTypeTable = {
  ty: 15,
  root: 'm2m:pch',
  longName: 'pollingChannel',
  attributes: { ...common, rqag: optional('boolean', 'requestAggregation') },
  parents: [2, 16],
  assign: checkUnique,
  removed: (resource, { polling }) => polling.closed(resource),
  virtual: new Map([['pcu', { operations: ['retrieve', 'notify'], answer: polled }]]),
};

function polled(resource: Resource, _rest: string, services: Services, request: RequestPrimitive): Answer {
  const { polling } = services;
  checkOwner(resource, services, request);
  if (request.operation === 'notify') return polling.answered(resource, request.content);
  return polling.poll(resource, request);
}

/** An AE has one polling channel (TS-0001, table 9.6.5-1), and creates it itself (TS-0004, clause 7.4.21.2.1). */
function checkUnique(resource: Resource, services: Services, request: RequestPrimitive): void {
  checkOwner(resource, services, request);
  for (const { type, name } of resource.parent?.children?.values() ?? []) {
    if (type.root !== 'm2m:pch') continue;
    const status = services.configuration.dialect.name === 'onem2m' ? 'BAD_REQUEST' : 'CONFLICT';
    throw new CseError(status, `There is a polling channel already: ${name}.`);
  }
}

/** Only the AE or CSE that owns the channel may use it (TS-0004, clause 7.4.22.2.2). */
function checkOwner({ parent }: Resource, { access, configuration }: Services, { from = '' }: RequestPrimitive): void {
  if (!access.required && configuration.dialect.name === 'documented') return;
  const owner = parent?.type.ty === remoteCseType ? parent.values.csi : parent?.values.aei;
  const own = String(owner).replace(/^\//, '');
  if (from.slice(from.lastIndexOf('/') + 1) === own) return;
  throw new CseError('ORIGINATOR_HAS_NO_PRIVILEGE', 'Only the AE that owns a polling channel may use it.');
}
