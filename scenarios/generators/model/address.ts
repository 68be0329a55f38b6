/** The forms in which a resource is addressed: "Endpoints", note 1, and TS-0004 6.2.4, TS-0009 6.2.2.1. */
import { literally } from './expected.ts';
import type { Model, ModelNames } from './model.ts';
import type { ModelResource } from './resource.ts';

const scoped = ['SP-relative', 'absolute', 'identifier', 'SP-relative identifier', 'absolute identifier'] as const;

export const addressForms = ['structured', 'structured with a slash at the end', ...scoped] as const;
export type AddressForm = (typeof addressForms)[number];

/**
 * Those of the onem2m dialect, identifiers twice as often as others. Whether names may follow an identifier is left open (TS-0001 7.2,
 * Table 7.2-1).
 */
export const standardForms = ['structured', ...scoped, 'dash', 'identifier'] as const;
export type StandardForm = (typeof standardForms)[number];

/** The requirement that says that a form is understood. */
export const formRequirement: Readonly<Record<StandardForm, string>> = {
  structured: 'std.address.structured.cse-relative',
  'SP-relative': 'std.address.structured.sp-relative',
  absolute: 'std.address.structured.absolute',
  identifier: 'std.address.unstructured.cse-relative',
  'SP-relative identifier': 'std.address.unstructured.sp-relative',
  'absolute identifier': 'std.address.unstructured.absolute',
  dash: 'std.address.dash',
};

/** Undefined is the CSE base; undefined comes back where its identifier, or that of its parent, is not known. */
export function addressOf(resource: ModelResource | undefined, form: string, model: Model): string | undefined {
  if (form === 'dash') return `/-/${resource?.path}`;
  const path = pathOf(resource, model) + (form.endsWith('slash at the end') ? '/' : '');
  return inForm(form, { path, ri: resource?.shown.ri }, model.names);
}

/** Where it is, by the form that is asked for if that can be told. */
export function placeOf<Form extends string>(
  resource: ModelResource,
  asked: Form,
  model: Model,
): { readonly path: string; readonly form: Form | 'structured' } {
  const path = addressOf(resource, asked, model);
  return path === undefined ? { path: pathOf(resource, model), form: 'structured' } : { path, form: asked };
}

/** In a form that names the CSE, or does not, by its path or its identifier. */
function inForm(
  form: string,
  { path, ri }: { readonly path: string; readonly ri: string | undefined },
  { cseId, spId }: ModelNames,
): string | undefined {
  const absolute = form.startsWith('absolute') ? `/_/${spId}/${cseId}` : '';
  const scope = form.startsWith('SP-relative') ? `/~/${cseId}` : absolute;
  if (!form.endsWith('identifier')) return scope + path;
  return ri === undefined || !/^[\w.-]+$/.test(ri) ? undefined : `${scope}/${ri}`;
}

/** The form that both specifications show for every resource. */
export function pathOf(resource: ModelResource | undefined, { names }: Model): string {
  return resource === undefined ? `/${names.base}` : `/${names.base}/${resource.path}`;
}

/** As attributes name a resource: CSE-relative, without a slash before it. */
export function referenceTo(resource: ModelResource | undefined, model: Model): string {
  return pathOf(resource, model).slice(1);
}

/** How an answer may write the path of names: CSE-relative, SP-relative or absolute. */
export function writtenAddress(resource: ModelResource, { names }: Model): string {
  return `(^|/)${[names.base, ...resource.names].map(literally).join('/')}$`;
}

/** An AE-ID-Stem that nobody else has (TS-0001 7.2). */
export function originatorOf(asker: string, { names }: Model): string {
  return `C${names.label}-${asker}`;
}

/** How an answer may write it: CSE-relative, SP-relative or absolute. */
export function originatorPattern(asker: string, model: Model): string {
  return `(^|/)${literally(originatorOf(asker, model))}$`;
}
