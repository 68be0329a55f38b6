/** The forms in which a resource is addressed: "Endpoints", note 1, and those that only the standard has. */
import { pathSegment } from '../../engine/messages/encode.ts';
import type { AddressForm } from '../operations/operation.ts';
import type { Model } from './model.ts';
import type { ModelResource } from './resource.ts';

/** Undefined is the CSE base; undefined comes back where its identifier is not known. */
export function addressOf(resource: ModelResource | undefined, form: AddressForm, model: Model): string | undefined {
  const { cseId, spId } = model.names;
  const structured = pathOf(resource, model);
  const before = form.startsWith('SP-relative')
    ? `/~/${cseId}`
    : form.startsWith('absolute')
      ? `/_/${spId}/${cseId}`
      : '';
  if (!form.endsWith('identifier')) return before + structured + (form.endsWith('slash at the end') ? '/' : '');
  const identifier = resource?.shown.ri;
  return identifier === undefined || !/^[\w.-]+$/.test(identifier) ? undefined : `${before}/${identifier}`;
}

/** The form that the specification shows for every resource. */
export function pathOf(resource: ModelResource | undefined, { names }: Model): string {
  return resource === undefined ? `/${names.base}` : `/${names.base}/${resource.path}`;
}

/** Below the CSE base, without a slash at its beginning. */
export function pathBelow(parent: Pick<ModelResource, 'path'> | undefined, name: string): string {
  return parent === undefined ? pathSegment(name) : `${parent.path}/${pathSegment(name)}`;
}
