/** OpenMTC: what a container keeps. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpService } from '../../dialects/http-message.ts';
import { isSuccess, resourceAtPath } from '../../faults/vocabulary/asked.ts';
import { handling } from '../../faults/vocabulary/blocks.ts';
import { codeOf, recoded } from '../../faults/vocabulary/changed-answers.ts';
import { describing, pathOf, toBeCreated } from '../../faults/vocabulary/changed-requests.ts';
import { describedIn } from '../../faults/vocabulary/representations.ts';
import { Told } from '../../faults/vocabulary/told.ts';
import type { Quirk } from '../product.ts';

const notes = (section: string) => `openmtc.md ${section}`;

export const containers: readonly Quirk[] = [
  {
    id: 'retention.one-goes',
    says: 'One content instance goes for each new one in a full container, so that a lower mni is never reached.',
    notes: notes('3: mni=n: exactly ONE oldest is deleted'),
    violates: { onem2m: ['std.retention.mni.lowered'] },
    wrap: oneGoes,
  },
  {
    id: 'retention.too-large.fails',
    says: 'A content instance that is larger than mbs ends in 500 and 5000, and all others of the container are lost.',
    notes: notes('3: cin larger than mbs -> 500/5000, and it corrupts'),
    violates: { onem2m: ['std.retention.mbs.too-large', 'std.retention.mbs.too-large.loses-nothing'] },
    wrap: handling(async (request, service, core) => {
      const answer = await service.handle(request);
      if (request.method !== 'POST' || codeOf(answer) !== 5207) return answer;
      const holder = resourceAtPath(pathOf(request).replace(/\/+$/, ''), core);
      for (const instance of [...(holder?.instances ?? [])]) core.tree.remove(instance, 'to make room');
      return recoded(answer, 500, 5000);
    }),
  },
];

function oneGoes(service: HttpService, core: Cse): HttpService {
  /** `mni`, which the CSE itself does not know. */
  const limits = new WeakMap<Resource, number>();
  const told = new Told();
  return handling(async (request) => {
    makeRoom(request, limits, core);
    const { limit, sent } = withoutLimit(request);
    const answer = await service.handle(sent);
    const id = limit === undefined ? undefined : describedIn(answer.body)?.attributes.ri;
    const changed = isSuccess(answer) ? core.tree.byId(String(id)) : undefined;
    if (changed !== undefined && limit !== undefined) {
      limits.set(changed, limit);
      told.say(id, { mni: limit });
    }
    return told.in(answer);
  })(service, core);
}

/** One instance goes where a new one comes to a full container. */
function makeRoom(request: HttpRequest, limits: WeakMap<Resource, number>, core: Cse): void {
  const shown = toBeCreated(request);
  if (shown?.root !== 'm2m:cin' || typeof shown.attributes.con !== 'string') return;
  const holder = resourceAtPath(pathOf(request).replace(/\/+$/, ''), core);
  const most = holder && limits.get(holder);
  const oldest = holder?.instances?.first;
  if (most !== undefined && oldest !== undefined && holder?.instances && holder.instances.size >= most) {
    core.tree.remove(oldest, 'to make room');
  }
}

/** A create or an update of a container without the `mni` that it gives. */
function withoutLimit(request: HttpRequest): { readonly limit?: number; readonly sent: HttpRequest } {
  const writes = request.method === 'POST' || request.method === 'PUT';
  const shown = writes ? describedIn(request.body) : undefined;
  const { mni, ...attributes } = shown?.attributes ?? {};
  if (shown?.root !== 'm2m:cnt' || typeof mni !== 'number' || mni <= 0) return { sent: request };
  return { limit: mni, sent: describing(request, { ...shown, attributes }) };
}
