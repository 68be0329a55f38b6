import type { Cse } from '../core/cse.ts';
import type { Resource } from '../core/resource.ts';
import { readTimestamp, writeTimestamp } from '../dialects/timestamp.ts';
import type { Fault, Wrap } from './fault.ts';
import { type Asked, asked, foundIn, isSuccess, resourceAt } from './vocabulary/asked.ts';
import { changingDiscoveries, changingRequests, handling, refusal, refusing, withQuery } from './vocabulary/blocks.ts';

const byLabelAlone = ({ discovery, query }: Asked) => discovery && query.has('lbl') && !query.has('cra');
const byTime = ({ discovery, query }: Asked) => discovery && query.has('cra');

/** Leaves out what a discovery found rightly. */
function leavingOut(
  where: (about: Asked) => boolean,
  keeps: (resource: Resource | undefined, about: Asked, core: Cse) => boolean,
): Wrap {
  return changingDiscoveries((found, about, core) =>
    where(about) ? found.filter((address) => keeps(resourceAt(address, core), about, core)) : undefined,
  );
}

/** Adds, after what a discovery found rightly, what it finds with other parameters and `adds` says yes to. */
function adding(
  where: (about: Asked) => boolean,
  parameters: (query: URLSearchParams) => void,
  adds: (resource: Resource, about: Asked) => boolean,
): Wrap {
  return handling(async (request, service, core) => {
    const about = asked(request);
    const answer = await service.handle(request);
    const found = where(about) && isSuccess(answer) ? foundIn(answer.body) : undefined;
    if (found === undefined) return answer;
    const wider = foundIn((await service.handle(withQuery(request, parameters))).body) ?? [];
    const added = wider.filter((address) => {
      const resource = resourceAt(address, core);
      return !found.includes(address) && resource !== undefined && adds(resource, about);
    });
    return { ...answer, body: JSON.stringify({ 'm2m:uril': [...found, ...added] }) };
  });
}

/** Serves a discovery by creation time with another time. */
function withTime(change: (microseconds: number) => number): Wrap {
  return changingRequests((request, about) => {
    const time = byTime(about) ? readTimestamp(about.query.get('cra') ?? '') : undefined;
    return time === undefined
      ? undefined
      : withQuery(request, (query) => query.set('cra', writeTimestamp(change(time))));
  });
}

const withoutLabels = (query: URLSearchParams) => query.delete('lbl');
const beforeHyphen = (label: string) => label.replace(/-[^-]*$/, '');

const byLabel: readonly Fault[] = [
  {
    id: 'discovery.by-label.not-found',
    violates: 'discovery.by-label.status',
    says: 'A discovery by label alone that finds something is answered by 404.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const found = byLabelAlone(asked(request)) ? (foundIn(answer.body) ?? []) : [];
      return found.length > 0 ? refusal({ status: 404, code: 4004, says: 'Nothing was found.' }) : answer;
    }),
  },
  {
    id: 'discovery.label.forgets-newest',
    violates: 'discovery.label.finds',
    says: 'A discovery by label leaves out what was created last of all that it should find.',
    wrap: changingDiscoveries((found, { query }) => (query.has('lbl') ? found.slice(0, -1) : undefined)),
  },
  {
    id: 'discovery.label.top-level-only',
    violates: 'discovery.label.finds',
    says: 'A discovery by label finds only what stands directly below the CSE base.',
    wrap: leavingOut(
      ({ discovery, query }) => discovery && query.has('lbl'),
      (resource, _, { tree }) => resource?.parent === tree.base,
    ),
  },
  {
    id: 'discovery.label.no-containers',
    violates: 'discovery.label.finds',
    says: 'A discovery by label finds no containers.',
    wrap: leavingOut(
      ({ discovery, query }) => discovery && query.has('lbl'),
      (resource) => resource?.type.root !== 'm2m:cnt',
    ),
  },
  {
    id: 'discovery.label.beginning',
    violates: 'discovery.label.leaves-out-others',
    says: 'A discovery by label also finds labels that are the same up to their last hyphen, after those that it should.',
    wrap: adding(
      ({ discovery, query }) => discovery && query.has('lbl'),
      withoutLabels,
      ({ labels }, { query }) =>
        (labels ?? []).some((label) => query.getAll('lbl').some((one) => beforeHyphen(one) === beforeHyphen(label))),
    ),
  },
  {
    id: 'discovery.label.unlabelled',
    violates: 'discovery.label.leaves-out-others',
    says: 'A discovery by label also finds what carries no label at all, after what it should find.',
    wrap: adding(
      ({ discovery, query }) => discovery && query.has('lbl'),
      withoutLabels,
      ({ labels }) => labels === undefined || labels.length === 0,
    ),
  },
  {
    id: 'discovery.label.ignored',
    violates: 'discovery.label.leaves-out-others',
    says: 'A discovery does not look at the label.',
    wrap: changingRequests((request, { discovery }) => (discovery ? withQuery(request, withoutLabels) : undefined)),
  },
  {
    id: 'discovery.label.ignored-beside-time',
    violates: 'discovery.label.leaves-out-others',
    says: 'A discovery by creation time does not look at the label.',
    wrap: changingRequests((request, about) => (byTime(about) ? withQuery(request, withoutLabels) : undefined)),
  },
];

const byCreation: readonly Fault[] = [
  {
    id: 'discovery.created-after.space-refused',
    violates: 'discovery.created-after.status',
    says: 'A creation time with a space between date and time is refused with 400.',
    wrap: refusing({ status: 400, code: 4000, says: 'cra is malformed.' }, (about) =>
      /^\S+ \d/.test((byTime(about) && about.query.get('cra')) || ''),
    ),
  },
  {
    id: 'discovery.created-after.nothing',
    violates: 'discovery.created-after.finds-later',
    says: 'A discovery by creation time finds nothing.',
    wrap: leavingOut(byTime, () => false),
  },
  {
    id: 'discovery.created-after.forgets-newest',
    violates: 'discovery.created-after.finds-later',
    says: 'A discovery by creation time leaves out what was created last of all that it should find.',
    wrap: changingDiscoveries((found, about) => (byTime(about) ? found.slice(0, -1) : undefined)),
  },
  {
    id: 'discovery.created-after.top-level-only',
    violates: 'discovery.created-after.finds-later',
    says: 'A discovery by creation time finds only what stands directly below the CSE base.',
    wrap: leavingOut(byTime, (resource, _, { tree }) => resource?.parent === tree.base),
  },
  {
    id: 'discovery.created-after.ignored',
    violates: 'discovery.created-after.leaves-out-earlier',
    says: 'A discovery does not look at the creation time.',
    wrap: changingRequests((request, about) =>
      byTime(about) ? withQuery(request, (query) => query.delete('cra')) : undefined,
    ),
  },
  {
    id: 'discovery.created-after.inclusive',
    violates: 'discovery.created-after.leaves-out-earlier',
    says: 'A discovery by creation time also finds what was created at exactly that time.',
    wrap: withTime((time) => time - 1),
  },
  {
    id: 'discovery.created-after.whole-seconds',
    violates: 'discovery.created-after.leaves-out-earlier',
    says: 'A discovery by creation time also finds what was created in the same second.',
    wrap: withTime((time) => Math.floor(time / 1_000_000) * 1_000_000 - 1),
  },
];

const nothingFound: readonly Fault[] = [
  {
    id: 'discovery.empty.not-found',
    violates: 'discovery.empty.status',
    says: 'A discovery that finds nothing is answered by 404.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const nothing = asked(request).discovery && foundIn(answer.body)?.length === 0;
      return nothing ? refusal({ status: 404, code: 4004, says: 'Nothing was found.' }) : answer;
    }),
  },
  {
    id: 'discovery.empty.no-content',
    violates: 'discovery.empty.status',
    says: 'A discovery that finds nothing is answered by 204 without a body.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const nothing = asked(request).discovery && foundIn(answer.body)?.length === 0;
      return nothing ? { status: 204, headers: { 'X-M2M-RSC': '2000' }, body: '' } : answer;
    }),
  },
];

/** What a discovery finds, and how it answers. */
export const discovery: readonly Fault[] = [...byLabel, ...byCreation, ...nothingFound];
