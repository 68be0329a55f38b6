import type { Cse } from '../../core/cse.ts';
import { readTimestamp, writeBasicTimestamp } from '../../dialects/timestamp.ts';
import { changingRequests, withQuery } from '../../faults/vocabulary/blocks.ts';
import { changingShown } from '../../faults/vocabulary/changed-answers.ts';
import { changingCreates } from '../../faults/vocabulary/changed-requests.ts';
import { tellingAsGiven } from '../../faults/vocabulary/told.ts';
import type { Quirk } from '../product.ts';

/** Seconds: maxExpirationDelta. */
const longest = 157_680_000;

const timeOf = (core: Cse) => core.services.ports.clock.now();

/** What resources hold. */
export const resources: readonly Quirk[] = [
  {
    id: 'cse-base.policy',
    says: 'The CSE base tells the policy by which everybody may create policies below it.',
    notes: 'acme.md, 3, "CSEBase retrieve"',
    violates: {},
    because: 'The attribute is an identifier, as it should be.',
    wrap: changingShown('m2m:cb', (attributes) => {
      attributes.acpi ??= ['/id-in/acpCreateRootResources'];
    }),
  },
  {
    id: 'registration.releases-mandatory',
    says: 'An application entity that does not list its releases is refused.',
    notes: 'acme.md, 1, "AE registration": mandatory',
    violates: {},
    because: 'The attribute is mandatory since release 3, and no requirement asks for more.',
    wrap: changingCreates(({ root, attributes }) => {
      if (root !== 'm2m:ae' || attributes.srv !== undefined) return undefined;
      // Without another attribute that is mandatory it is refused in the same way, at the right place in the order of checks.
      const { api: _without, ...incomplete } = attributes;
      return incomplete;
    }),
  },
  {
    id: 'expiration.form-kept',
    says: 'An expiration time in the extended form of ISO 8601 is taken, and told in that form from then on.',
    notes: 'acme.md, 1, "Attributes": Timestamps, the ISO form for et',
    violates: { onem2m: ['std.common.et'] },
    wrap: tellingAsGiven(({ et }) =>
      typeof et === 'string' && et.includes('-') && readTimestamp(et) !== undefined ? { et } : undefined,
    ),
  },
  {
    id: 'expiration.longest',
    says: 'An expiration time that is too far away becomes the latest that there is, even after that of the parent.',
    notes: 'acme.md, 1, "Attributes": et, too far',
    violates: { onem2m: ['std.create.et.parent'] },
    wrap: tellingAsGiven(({ et }, core) => {
      const latest = timeOf(core) + longest * 1e6;
      const asksFor = typeof et === 'string' ? readTimestamp(et) : undefined;
      return asksFor !== undefined && asksFor > latest ? { et: writeBasicTimestamp(latest) } : undefined;
    }),
  },
  {
    id: 'content-instance.characters',
    says: 'cs is the number of characters of a text, 4 for an integer, and for an object the sum of its values.',
    notes: 'acme.md, 1, "Attributes": cs = length of the string',
    violates: { onem2m: ['std.content-instance.cs.bytes'] },
    wrap: changingShown('m2m:cin', (attributes) => {
      if (attributes.con !== undefined && attributes.cs !== undefined) attributes.cs = sizeOf(attributes.con);
    }),
  },
  {
    id: 'latest.delete.answers',
    says: 'Deleting la or ol answers the content instance that was deleted, though nobody asked for it.',
    notes: 'acme.md, 1, "Attributes": la/ol',
    violates: { onem2m: ['std.delete.rcn.default'] },
    wrap: changingRequests((request, { method, virtual, query }) =>
      method === 'DELETE' && virtual && !query.has('rcn')
        ? withQuery(request, (parameters) => parameters.set('rcn', '1'))
        : undefined,
    ),
  },
];

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'number') return Number.isInteger(value) ? 4 : 8;
  if (typeof value === 'boolean') return 1;
  return value === null ? 0 : Object.values(value as object).reduce((sum: number, inner) => sum + sizeOf(inner), 0);
}
