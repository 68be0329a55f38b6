/** The forms in which a resource is addressed over HTTP (TS-0004 6.2.4; TS-0009 6.2.2.1). */
import { pathSegment } from '../../../engine/messages/encode.ts';
import { literally } from '../../model/expected.ts';
import { inForm } from '../../model/tree.ts';
import type { StandardModel } from './model.ts';
import type { StandardResource } from './resource.ts';

export const standardForms = [
  'structured',
  'SP-relative',
  'absolute',
  'identifier',
  'SP-relative identifier',
  'absolute identifier',
  'dash',
  'name below identifier',
] as const;
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
  'name below identifier': 'std.address.name-below-identifier',
};

/** Undefined where its identifier, or that of its parent, is not known. */
export function addressOf(resource: StandardResource, form: StandardForm, model: StandardModel): string | undefined {
  const { parent, name, shown, path } = resource;
  if (form === 'dash') return `/-/${path}`;
  if (form !== 'name below identifier')
    return inForm(form, { path: pathOf(resource, model), ri: shown.ri }, model.names);
  const above = inForm('identifier', { path: '', ri: parent?.shown.ri }, model.names);
  return above === undefined ? undefined : `${above}/${pathSegment(name)}`;
}

export function pathOf(resource: StandardResource, { names }: StandardModel): string {
  return `/${names.base}/${resource.path}`;
}

/** As attributes name a resource: CSE-relative, without a slash before it. */
export function referenceTo(resource: StandardResource, model: StandardModel): string {
  return pathOf(resource, model).slice(1);
}

/** How an answer may write the path of names: CSE-relative, SP-relative or absolute. */
export function writtenAddress(resource: StandardResource, { names }: StandardModel): string {
  return `(^|/)${[names.base, ...resource.names].map(literally).join('/')}$`;
}
