/** What rows make of resources that go, whether somebody removes them or not. */

import type { Resource } from '../../core/resource.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../deviation.ts';
import { type End, handling, hearing, readingOf } from '../vocabulary/blocks.ts';
import { asked } from '../vocabulary/messages.ts';
import { appearing } from './memory.ts';
import { aroundResources, pathOf } from './resource-parts.ts';
import type { Row } from './schema.ts';
import { meantBy } from './selector.ts';
import { valueFor } from './term.ts';
import { type ById, Told } from './watching.ts';

const words: Readonly<Record<End, string>> = {
  itself: 'removed',
  expired: 'expired',
  'with its parent': 'with-parent',
  'to make room': 'to-make-room',
};

/** `remember` for `remembered`, `drift` as for exchanges, and `haunt` by `path` or by `identifier`. */
export function going({ when = {}, does }: NonNullable<Row['goes']>, remember: (value: unknown) => void): Wrap {
  const { before } = meantBy(when);
  return (service, core) => {
    const told = new Told();
    const ghosts = new Map<string, HttpResponse>();
    let removed: Resource | undefined;
    hearing(core, (resource, end) => {
      if (end !== 'with its parent') removed = resource;
      const scope = aroundResources({ gone: () => resource }, core, {
        'gone.how': () => words[end],
        'gone.depth': () => levelsBelow(removed, resource),
      });
      if (!before(scope)) return;
      remember(valueFor(does.remember, scope));
      told.drift((does.drift ?? {}) as ById, scope);
      const address = does.haunt === 'identifier' ? `/${resource.id}` : pathOf(resource);
      if (does.haunt !== undefined && address !== undefined) ghosts.set(address, readingOf(resource, core));
    });
    return handling(async (request, inner) => {
      const { method, path, discovery } = asked(request);
      const answer = await inner.handle(request);
      const ghost = method === 'GET' && !discovery ? ghosts.get(path) : undefined;
      return told.in(appearing(ghost, answer));
    })(service, core);
  };
}

/** 0 for what was removed itself, 1 for what stood directly below it. */
function levelsBelow(removed: Resource | undefined, resource: Resource): number {
  return resource === removed || resource.parent === undefined ? 0 : 1 + levelsBelow(removed, resource.parent);
}
