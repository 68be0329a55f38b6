/** The forms in which a resource is addressed: "Endpoints", note 1, and those that only the standard has. */
import type { AddressForm } from '../operations/operation.ts';
import type { Model } from './model.ts';
import type { ModelResource } from './resource.ts';
import { inForm } from './tree.ts';

/** Undefined is the CSE base; undefined comes back where its identifier is not known. */
export function addressOf(resource: ModelResource | undefined, form: AddressForm, model: Model): string | undefined {
  const path = pathOf(resource, model) + (form.endsWith('slash at the end') ? '/' : '');
  return inForm(form, { path, ri: resource?.shown.ri }, model.names);
}

/** The form that the specification shows for every resource. */
export function pathOf(resource: ModelResource | undefined, { names }: Model): string {
  return resource === undefined ? `/${names.base}` : `/${names.base}/${resource.path}`;
}
