/** From a resource to the answer that shows it, in the way that the request asks for. */
import type { CseConfiguration } from './configuration.ts';
import type { Dialect } from './dialect.ts';
import type { Discovered } from './discover.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import { attributesBelowRoot, representation } from './representation.ts';
import type { Resource } from './resource.ts';
import { attributesOf, isAsGiven, type Shape, show, type View } from './result.ts';
import { type CseError, type ResponseStatus, UPDATED } from './status.ts';

/** What a refusal becomes. */
export function refusalBy({ status, message, http, allow }: CseError): ResponsePrimitive {
  return { status, content: { 'm2m:dbg': message }, http, ...(allow !== undefined && { allow }) };
}

export interface Shown {
  readonly resource: Resource;
  readonly shape: Shape;
  /** What the request put before CSE-relative paths. */
  readonly prefix: string;
  /** What of the resources below is shown; undefined: all. */
  readonly below?: Discovered | undefined;
}

export function answerWith(
  status: ResponseStatus,
  shown: Shown,
  request: RequestPrimitive,
  configuration: CseConfiguration,
): ResponsePrimitive {
  const { resource, shape, prefix } = shown;
  const contentLocation = prefix + resource.path;
  const whole = shape === 'attributes' && request.attributeList === undefined;
  const content = whole
    ? representation(resource, configuration.dialect)
    : show(resource, shape, viewOf(shown, request, configuration));
  return { status, content, contentLocation };
}

/** What stands before the addresses in an answer: who writes itself with the scope of its CSE or more is answered so too. */
export function prefixInContent(
  asAddressed: string,
  { from }: RequestPrimitive,
  { addressesInContent }: Dialect,
): string {
  return addressesInContent === 'CSE-relative' && !from?.startsWith('/') ? '' : asAddressed;
}

function viewOf(
  { shape, prefix: asAddressed, below }: Shown,
  request: RequestPrimitive,
  { dialect }: CseConfiguration,
): View {
  const { desiredIdentifierResultType, attributeList } = request;
  const prefix = prefixInContent(asAddressed, request, dialect);
  // The documented val is the child's resource identifier, as its own representation says it, in every form of address.
  const asItIs = dialect.name === 'documented';
  return {
    dialect,
    prefix,
    referenceTo: ({ id, path }) => (asItIs ? id : prefix + (desiredIdentifierResultType === 2 ? id : path)),
    ...(attributeList !== undefined && { attributes: attributeList }),
    ...(below !== undefined && { below: below.matches }),
    ...(shape === 'modified attributes' && { given: attributesBelowRoot(request.content) }),
  };
}

/** What an update has changed beyond what it has asked for: `rcn` 9. `before` is what `attributesOf` said before it. */
export function modifiedBy(
  request: RequestPrimitive,
  resource: Resource,
  before: Record<string, unknown>,
  { dialect }: CseConfiguration,
): ResponsePrimitive {
  const given = attributesBelowRoot(request.content);
  const changed = Object.entries(attributesOf(resource, dialect)).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(before[name]) &&
      !(name in given && isAsGiven(name, given[name], value, resource, dialect)),
  );
  return { status: UPDATED, content: { [resource.type.root]: Object.fromEntries(changed) } };
}
