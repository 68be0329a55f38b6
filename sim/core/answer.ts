/** From a resource to the answer that shows it, in the way that the request asks for. */
import type { Dialect } from './dialect.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import { attributesBelowRoot } from './representation.ts';
import type { Resource } from './resource.ts';
import { attributesOf, isAsGiven, type Shown, show } from './result.ts';
import { type CseError, type ResponseStatus, UPDATED } from './status.ts';

/** What a refusal becomes. */
export function refusalBy({ status, message, http, allow }: CseError): ResponsePrimitive {
  return { status, content: { 'm2m:dbg': message }, http, ...(allow !== undefined && { allow }) };
}

export function answerWith(status: ResponseStatus, shown: Shown): ResponsePrimitive {
  return { status, content: show(shown), contentLocation: shown.prefix + shown.resource.path };
}

/** What an update has changed beyond what it has asked for: `rcn` 9. `before` is what `attributesOf` said before it. */
export function modifiedBy(
  request: RequestPrimitive,
  resource: Resource,
  before: Record<string, unknown>,
  dialect: Dialect,
): ResponsePrimitive {
  const given = attributesBelowRoot(request.content);
  const changed = Object.entries(attributesOf(resource, dialect)).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(before[name]) &&
      !(name in given && isAsGiven(name, given[name], value, resource, dialect)),
  );
  return { status: UPDATED, content: { [resource.type.root]: Object.fromEntries(changed) } };
}
