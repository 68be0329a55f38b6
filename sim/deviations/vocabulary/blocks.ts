/** What deviations are made of, and the resources to which requests lead. */
import { resolve } from '../../core/address.ts';
import type { Cse } from '../../core/operations/cse.ts';
import { representation } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import type { Removal } from '../../core/tree.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { Wrap } from './deviation.ts';

/** Everything about one request goes through `handle`. */
export function handling(
  handle: (request: HttpRequest, service: HttpService, core: Cse) => HttpResponse | Promise<HttpResponse>,
): Wrap {
  return (service, core) => ({
    handle: (request) => handle(request, service, core),
    refuse: (error) => service.refuse(error),
  });
}

/** The resource that the path of a request leads to. */
export function resourceAtPath(path: string, core: Cse): Resource | undefined {
  if (path.startsWith('/~/')) return resourceAt(path.slice(2), core);
  return resourceAt(path.startsWith('/_/') ? `/${path.slice(2)}` : path.slice(1), core);
}

/** The resource at an address as a discovery answers it. */
export function resourceAt(address: string, { tree, configuration }: Cse): Resource | undefined {
  try {
    return resolve(decodeURIComponent(address), tree, configuration).resource;
  } catch {
    return undefined;
  }
}

/** The answer to who reads it, as it is. */
export function readingOf(resource: Resource, { configuration }: Cse): HttpResponse {
  const headers = { 'X-M2M-RSC': '2000', 'Content-Type': 'application/vnd.onem2m-res+json' };
  return { status: 200, headers, body: JSON.stringify(representation(resource, configuration.dialect)) };
}

/** `expired` for what nobody has removed. */
export type End = Removal | 'expired';

/** Hears of each resource that goes: the removed one first, then what was below it. */
export function hearing({ tree, services }: Cse, gone: (resource: Resource, end: End) => void): void {
  const before = tree.onRemoved;
  tree.onRemoved = (resource, how) => {
    before(resource, how);
    const expired = how === 'itself' && resource.expires <= services.ports.clock.now();
    gone(resource, expired ? 'expired' : how);
  };
}

// What was heard to what a CSE has sent.

const replies = new WeakMap<Cse, { readonly count: number; readonly code: number }>();

export function noteReply(code: number, core: Cse): void {
  replies.set(core, { count: (replies.get(core)?.count ?? 0) + 1, code });
}

/** The code of what is heard last from now on; undefined while nothing is. */
export function replyFromNow(core: Cse): () => number | undefined {
  const before = replies.get(core)?.count;
  return () => {
    const last = replies.get(core);
    return last?.count === before ? undefined : last?.code;
  };
}
