/** Address forms: "Endpoints", note 1, and TS-0004 6.2.4, TS-0009 6.2.2.1. */
import type { CreatedResources } from './created.ts';
import type { GeneratedResource } from './resource.ts';

type Addressed = GeneratedResource | undefined;
const scoped = ['SP-relative', 'absolute', 'identifier', 'SP-relative identifier', 'absolute identifier'] as const;

export const addressForms = ['structured', 'structured with a slash at the end', ...scoped] as const;

/** Forms of the onem2m dialect, identifiers twice as often. Names after an identifier are left open (TS-0001 7.2, Table 7.2-1). */
export const standardForms = ['structured', ...scoped, 'dash', 'identifier'] as const;

/** The CSE base for an undefined resource; undefined if its identifier is not known. */
export function addressOf(resource: Addressed, form: string, created: CreatedResources): string | undefined {
  if (form === 'dash') return `/-/${resource?.path}`;
  const { cseId, spId } = created.names;
  const absolute = form.startsWith('absolute') ? `/_/${spId}/${cseId}` : '';
  const scope = form.startsWith('SP-relative') ? `/~/${cseId}` : absolute;
  const slash = form.endsWith('slash at the end') ? '/' : '';
  if (!form.endsWith('identifier')) return scope + pathOf(resource, created) + slash;
  const { ri } = resource?.assigned ?? {};
  return ri === undefined || !/^[\w.-]+$/.test(ri) ? undefined : `${scope}/${ri}`;
}

/** Its path in the requested form, else structured. */
export function addressFor(resource: Addressed, requested: string, created: CreatedResources) {
  const path = addressOf(resource, requested, created);
  return path === undefined ? { path: pathOf(resource, created), form: 'structured' } : { path, form: requested };
}

/** The form that both specifications show for every resource. */
export function pathOf(resource: Addressed, { names }: CreatedResources): string {
  return resource === undefined ? `/${names.base}` : `/${names.base}/${resource.path}`;
}

/** As attributes name a resource: CSE-relative, without a leading slash. */
export function referenceTo(resource: Addressed, created: CreatedResources): string {
  return pathOf(resource, created).slice(1);
}

/** An AE-ID-Stem that nobody else has (TS-0001 7.2). */
export function originatorOf(asker: string, { names }: CreatedResources): string {
  return `C${names.label}-${asker}`;
}
