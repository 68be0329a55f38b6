/** What remains of resources that have gone, however they went. */
import type { Resource } from '../../core/resource.ts';
import { NOT_FOUND } from '../../core/status.ts';
import type { HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { isSuccess } from './asked.ts';
import { handling } from './blocks.ts';
import { codeOf, labelled } from './changed-answers.ts';
import { readingOf } from './standard-changes.ts';
import { Exchange, type Which } from './standard-wanted.ts';

export const byPath = (resource: Resource): string => `/${resource.path}`;
export const byIdentifier = (resource: Resource): string => `/${resource.id}`;

interface Ghost {
  /** Where it stood. */
  readonly path: string;
  readonly answer: HttpResponse;
}

/**
 * What goes with a request, as `leaving` says before it, is answered at its address afterwards, as its originator read it last:
 * for ever, or until a request about where it stood is of those.
 */
export function haunting(
  leaving: (exchange: Exchange) => Iterable<Resource | undefined>,
  addressOf: (resource: Resource) => string,
  until: Which = () => false,
): Wrap {
  return (service, core) => {
    const ghosts = new Map<string, Ghost>();
    return handling(async (request) => {
      const exchange = new Exchange(request, core);
      if (until(exchange)) layToRest(ghosts, exchange.path);
      const seen = await lastSeen(exchange, [...leaving(exchange)], addressOf, service);
      const answer = await service.handle(request);
      if (isSuccess(answer)) for (const [address, ghost] of seen) ghosts.set(address, ghost);
      const gone = request.method === 'GET' && codeOf(answer) === NOT_FOUND.code;
      return gone ? appearing(ghosts.get(exchange.path), answer) : answer;
    })(service, core);
  };
}

/** In place of the answer that is due, to the same request. */
function appearing(ghost: Ghost | undefined, due: HttpResponse): HttpResponse {
  return ghost === undefined ? due : labelled(ghost.answer, identifiersOf(due));
}

/** The headers that tell to which request an answer belongs. */
function identifiersOf({ headers }: HttpResponse): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'X-M2M-RI'));
}

/** By their addresses. */
async function lastSeen(
  { request }: Exchange,
  leaving: readonly (Resource | undefined)[],
  addressOf: (resource: Resource) => string,
  service: HttpService,
): Promise<ReadonlyMap<string, Ghost>> {
  const seen = new Map<string, Ghost>();
  for (const resource of leaving.filter((one) => one !== undefined)) {
    const address = addressOf(resource);
    seen.set(address, { path: byPath(resource), answer: await service.handle(readingOf(request, address)) });
  }
  return seen;
}

function layToRest(ghosts: Map<string, Ghost>, stoodAt: string): void {
  for (const [address, { path }] of ghosts) if (path === stoodAt) ghosts.delete(address);
}

/** What goes with a request that one of these is: its target. */
export const targetOf =
  (which: Which) =>
  (exchange: Exchange): Iterable<Resource | undefined> =>
    which(exchange) ? [exchange.target] : [];

/** The children of this kind of the target of these requests. */
export const childrenOf =
  (which: Which, root: string) =>
  (exchange: Exchange): Iterable<Resource> => {
    const children = which(exchange) ? (exchange.target?.children?.values() ?? []) : [];
    return [...children].filter(({ type }) => type.root === root);
  };
