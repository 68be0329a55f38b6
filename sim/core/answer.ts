/** From a resource to the answer that shows it, in the way that the request asks for. */
import type { CseConfiguration } from './configuration.ts';
import type { Discovered } from './discover.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import { representation } from './representation.ts';
import type { Resource } from './resource.ts';
import { attributesOf, type Shape, show, type View } from './result.ts';
import { type ResponseStatus, UPDATED } from './status.ts';

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

function viewOf(
  { shape, prefix, below }: Shown,
  request: RequestPrimitive,
  { dialect, cseId }: CseConfiguration,
): View {
  const { desiredIdentifierResultType, attributeList } = request;
  return {
    dialect,
    prefix,
    referenceTo: ({ id, path }) => {
      if (dialect.name === 'documented') return prefix + id;
      return `/${cseId}/${desiredIdentifierResultType === 2 ? id : path}`;
    },
    ...(attributeList !== undefined && { attributes: attributeList }),
    ...(below !== undefined && { below: below.matches }),
    ...(shape === 'modified attributes' && { given: givenNames(request) }),
  };
}

/** What an update has changed beyond what it has asked for: `rcn` 9. `before` is what `attributesOf` said before it. */
export function modifiedBy(
  request: RequestPrimitive,
  resource: Resource,
  before: Record<string, unknown>,
  { dialect }: CseConfiguration,
): ResponsePrimitive {
  const given = givenNames(request);
  const changed = Object.entries(attributesOf(resource, dialect)).filter(
    ([name, value]) => !given.has(name) && JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return { status: UPDATED, content: { [resource.type.root]: Object.fromEntries(changed) } };
}

function givenNames({ content }: RequestPrimitive): ReadonlySet<string> {
  const [given] = Object.values((content ?? {}) as Record<string, object>);
  return new Set(Object.keys(given ?? {}));
}
