/** Indexes of discovery that are not what the tree is. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpService } from '../../dialects/http-message.ts';
import { readTimestamp } from '../../dialects/timestamp.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Asked, asked, foundIn, resourceAt, resourceAtPath } from '../vocabulary/asked.ts';
import { changingDiscoveries, handling, withQuery } from '../vocabulary/blocks.ts';
import { withBody } from '../vocabulary/changed-answers.ts';
import { afterUpdates, hearing } from './history.ts';

const carries = (labels: readonly string[], { query }: Asked) =>
  query.getAll('lbl').some((one) => labels.includes(one));

/** Adds to what a discovery by label found, where it looks. */
function adding(service: HttpService, core: Cse, more: (about: Asked) => Iterable<Resource>): HttpService {
  return changingDiscoveries((found, about) => {
    const root = about.query.has('lbl') ? resourceAtPath(about.path, core) : undefined;
    if (root === undefined) return undefined;
    const prefix = about.spRelative ? `/${core.configuration.cseId}/` : '';
    const added = [...more(about)].filter((one) => one.isBelow(root)).map(({ path }) => prefix + path);
    return [...new Set([...found, ...added])];
  })(service, core);
}

/** Leaves out of what a discovery by label found. */
function leavingOut(service: HttpService, core: Cse, out: (resource: Resource, about: Asked) => boolean): HttpService {
  return changingDiscoveries((found, about) => {
    if (!about.query.has('lbl')) return undefined;
    return found.filter((address) => {
      const resource = resourceAt(address, core);
      return resource === undefined || !out(resource, about);
    });
  })(service, core);
}

/** Discoveries by label that go by the labels with which resources were created. */
const byFirstLabels = (what: 'finds by them' | 'does not find by others'): Wrap => {
  return (service, core) => {
    const first = new Map<Resource, readonly string[]>();
    const watched = afterUpdates((resource, before) => {
      if (!first.has(resource)) first.set(resource, before);
    })(service, core);
    if (what === 'does not find by others') {
      return leavingOut(
        watched,
        core,
        (resource, about) => !carries(first.get(resource) ?? resource.labels ?? [], about),
      );
    }
    return adding(watched, core, (about) =>
      [...first].filter(([one, labels]) => core.tree.holds(one) && carries(labels, about)).map(([one]) => one),
    );
  };
};

/** Which resources a discovery finds after something has changed. */
export const discoveries: readonly Fault[] = [
  {
    id: 'stateful.index.lists-removed',
    violates: 'lifecycle.removed-is-gone',
    says: 'A discovery by label also lists what carried the label when it was removed, after what it should find.',
    wrap: (service, core) => {
      const removed: Resource[] = [];
      hearing(core, (resource) => {
        if (resource.labels !== undefined) removed.push(resource);
      });
      return adding(service, core, (about) => removed.filter(({ labels }) => carries(labels ?? [], about)));
    },
  },
  {
    id: 'stateful.index.new-label-unknown',
    violates: 'discovery.label.finds',
    says: 'A discovery by label does not find what got its label by an update.',
    wrap: byFirstLabels('does not find by others'),
  },
  {
    id: 'stateful.index.old-label-kept',
    violates: 'discovery.label.leaves-out-others',
    says: 'A discovery by label also finds what lost the label by an update, after what it should find.',
    wrap: byFirstLabels('finds by them'),
  },
  {
    id: 'stateful.index.second-life-unknown',
    violates: 'discovery.label.finds',
    says: 'A discovery by label does not find what has the path of something that was removed before.',
    wrap: (service, core) => {
      const paths = new Set<string>();
      hearing(core, ({ path }) => paths.add(path));
      return leavingOut(service, core, ({ path }) => paths.has(path));
    },
  },
  {
    id: 'stateful.index.parent-update-hides',
    violates: 'discovery.label.finds',
    says: 'A discovery by label does not find what was created before the last update of the resource above it.',
    wrap: (service, core) => {
      const changed = new WeakMap<Resource, number>();
      const watched = afterUpdates((resource) => changed.set(resource, resource.modified))(service, core);
      return leavingOut(watched, core, ({ parent, created }) => {
        return parent !== undefined && created < (changed.get(parent) ?? 0);
      });
    },
  },
  {
    id: 'stateful.index.updated-is-created',
    violates: 'discovery.created-after.leaves-out-earlier',
    says: 'A discovery by creation time also finds what was only updated after that time, after what it should find.',
    wrap: handling(async (request, service, core) => {
      const about = asked(request);
      const time = about.discovery ? readTimestamp(about.query.get('cra') ?? '') : undefined;
      const answer = await service.handle(request);
      const found = time === undefined ? undefined : foundIn(answer.body);
      if (time === undefined || found === undefined) return answer;
      const wider = foundIn((await service.handle(withQuery(request, (query) => query.delete('cra')))).body) ?? [];
      const updated = wider.filter((address) => (resourceAt(address, core)?.modified ?? 0) > time);
      return withBody(answer, { 'm2m:uril': [...new Set([...found, ...updated])] });
    }),
  },
];
