/** Resources that have other values than their own: while a request is served, or from then on. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Arrival } from './exchange.ts';
import type { Attributes, Scope } from './scope.ts';
import { changedBy } from './term.ts';

/** What the target of a request, or what it stands in, has meanwhile. */
export type Meanwhile = Readonly<Partial<Record<'target' | 'parent', Attributes>>>;

export async function servedMeanwhile(
  others: Meanwhile,
  { target, scope }: Arrival,
  serve: () => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  const restoring = [lend(target, others.target, scope), lend(target?.parent, others.parent, scope)];
  const answer = await serve();
  for (const restore of restoring) restore();
  return answer;
}

/** From now on they have other values, whoever looks: labels are found by. */
export function becoming(others: Meanwhile, { target, core, scope }: Arrival): void {
  become(target, others.target, scope, core);
  become(target?.parent, others.parent, scope, core);
}

function become(resource: Resource | undefined, terms: Attributes = {}, scope: Scope, { tree }: Cse): void {
  if (resource === undefined || !tree.holds(resource)) return;
  const { lbl, ...values } = changedBy(terms, { ...resource.values, lbl: resource.labels }, scope);
  resource.values = values as Resource['values'];
  if (Object.hasOwn(terms, 'lbl')) tree.relabel(resource, Array.isArray(lbl) ? lbl.map(String) : undefined);
}

/** Gives a resource other values; the way back is answered. */
function lend(resource: Resource | undefined, terms: Attributes = {}, scope: Scope): () => void {
  if (resource === undefined) return () => {};
  const own = resource.values;
  const lent = changedBy(terms, own, scope);
  resource.values = lent as Resource['values'];
  return () => {
    const { values } = resource;
    const back = Object.keys(terms).map((name) => [name, remaining(own[name], lent[name], values[name])] as const);
    resource.values = { ...values, ...Object.fromEntries(back) } as Resource['values'];
  };
}

/** What was a value's own before; of a list, without what has left the lent one. */
function remaining(own: unknown, lent: unknown, left: unknown): unknown {
  if (!Array.isArray(own) || !Array.isArray(lent) || !Array.isArray(left)) return own;
  return own.filter((one) => !lent.includes(one) || left.includes(one));
}
