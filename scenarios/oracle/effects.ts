import type { Dialect } from '../engine/grammar/dialects.ts';
import { viewOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { Seen } from './observation.ts';
import { resourceTypesOf, type TypeName } from './resource-types.ts';

/** Undefined where nobody can tell what was made, and how it is called. */
export function madeBy(
  { asked, exchange }: Seen,
  status: number,
  dialect: Dialect,
): { name: string; type: TypeName } | undefined {
  if (dialect === 'onem2m' && asked.type === undefined) return undefined;
  if ((status !== 201 && status !== 200) || asked.virtual !== undefined) return undefined;
  const { attributes, root = '' } = viewOf(exchange);
  const name = asked.given?.rn ?? attributes?.rn;
  const type = asked.type ?? resourceTypesOf(dialect).get(root)?.name;
  return typeof name === 'string' && type !== undefined ? { name, type } : undefined;
}

/** Whether an answer says that what is addressed, and nothing else, is gone. */
export function isDeletion({ asked, exchange }: Seen, status: number, dialect: Dialect): boolean {
  if (dialect === 'documented') return status === 200 || status === 204;
  const isWhole = asked.query.size === 0 || (asked.query.size === 1 && asked.query.has('rcn'));
  return status === 200 && viewOf(exchange).rsc === 2002 && isWhole;
}

/** A refusal changes nothing, but a removal that did not find what was there leaves in doubt whether it is. */
export function mayChange({ request, answer }: Exchange): boolean {
  const { status = 0 } = answer ?? {};
  const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
  const isRefused = status >= 400 && status < 500 && !(request.method === 'DELETE' && status === 404);
  return request.exactBytes === true || (!isRead && !isRefused);
}
