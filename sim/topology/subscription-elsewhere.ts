/**
 * The content of a request that is handed on: a subscription whose targets are called as the other CSE has to call them. Deployed
 * applications name themselves shortly (`CApp`), which over there would be one of that CSE's own; deployed backends write it out.
 * The standard leaves it to the originator (TS-0001, clause 7.2), so the onem2m dialect changes nothing.
 */
import type { Cse } from '../core/cse.ts';
import type { Resource } from '../core/resource.ts';

const applicationEntityType = 2;
const root = 'm2m:sub';

/** `to` says in which form. What is no such subscription comes back as it is. */
export function subscriptionElsewhere(body: Uint8Array, to: string, cse: Cse): Uint8Array {
  const { spId, cseId, dialect } = cse.configuration;
  if (dialect.name !== 'documented' || !Buffer.from(body).includes(`"${root}"`)) return body;
  const attributes = attributesIn(body);
  if (attributes === undefined) return body;
  const prefix = `${to.startsWith('//') ? `//${spId}` : ''}/${cseId}/`;
  const written = (target: unknown) =>
    typeof target === 'string' && isApplicationHere(target, cse) ? prefix + target : target;
  const { nu, su } = attributes;
  const [targets, subscriber] = [Array.isArray(nu) ? nu.map(written) : nu, written(su)];
  if (JSON.stringify([targets, subscriber]) === JSON.stringify([nu, su])) return body;
  return Buffer.from(JSON.stringify({ [root]: { ...attributes, nu: targets, su: subscriber } }));
}

function attributesIn(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const content: unknown = JSON.parse(Buffer.from(body).toString());
    if (typeof content !== 'object' || content === null || Object.keys(content).join() !== root) return undefined;
    const attributes: unknown = Object.values(content)[0];
    return typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes)
      ? Object.fromEntries(Object.entries(attributes))
      : undefined;
  } catch {
    return undefined;
  }
}

/** By its AE-ID, or by its path below the CSE base. */
function isApplicationHere(target: string, { tree }: Cse): boolean {
  const [base, name, ...more] = target.split('/');
  const byPath: Resource | undefined =
    base === tree.base.name && name !== undefined && more.length === 0 ? tree.base.children?.get(name) : undefined;
  return (tree.byAlias(target) ?? byPath)?.type.ty === applicationEntityType;
}
