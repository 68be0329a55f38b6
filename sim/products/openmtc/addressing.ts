/** OpenMTC: paths that lead elsewhere, or nowhere. */
import { changingRequests, handling } from '../../faults/vocabulary/blocks.ts';
import { refused } from '../../faults/vocabulary/changed-answers.ts';
import { asking, pathOf, queryOf } from '../../faults/vocabulary/changed-requests.ts';
import type { Quirk } from '../product.ts';

const notes = (section: string) => `openmtc.md ${section}`;

export const addressing: readonly Quirk[] = [
  {
    id: 'path.root.not-found',
    says: 'Nothing is created by a request to the path /.',
    notes: notes('3: POST / with m2m:cnt (as in the docs) -> 404/4004; 11'),
    violates: { documented: ['container.create-at-root.answer'] },
    wrap: handling((request, service) =>
      pathOf(request) === '/' ? refused(404, 4004, request) : service.handle(request),
    ),
  },
  {
    id: 'path.latest.not-found',
    says: 'There is no resource called latest or oldest below a container; la and ol are there.',
    notes: notes('4: latest/oldest long names (docs) -> 404; 11'),
    violates: { documented: ['latest.status'] },
    wrap: handling((request, service) =>
      /\/(latest|oldest)\/?$/.test(pathOf(request)) ? refused(404, 4004, request) : service.handle(request),
    ),
  },
  {
    id: 'path.dash.not-found',
    says: 'A dash does not stand for the name of the CSE base.',
    notes: notes('1: /-'),
    violates: { onem2m: ['std.address.dash'] },
    wrap: handling((request, service) =>
      pathOf(request).split('/').includes('-') ? refused(404, 4004, request) : service.handle(request),
    ),
  },
  {
    id: 'path.bare-cse.not-found',
    says: 'A path that ends with the CSE-ID leads nowhere.',
    notes: notes('1: /~/mn-cse-1'),
    violates: {},
    because: 'Neither dialect names anything by it.',
    wrap: handling((request, service) =>
      /^\/~\/[^/]+\/?$/.test(pathOf(request)) ? refused(404, 4004, request) : service.handle(request),
    ),
  },
  {
    id: 'path.cse-prefix',
    says: 'A CSE-ID that only begins with that of the CSE stands for it.',
    notes: notes('1: /~/mn-cse-1x/onem2m -> 200 (bug)'),
    violates: { onem2m: ['std.address.unknown-cse'] },
    wrap: changingRequests((request, _about, core) => {
      const own = core.configuration.cseId;
      const [, named = '', rest = ''] = /^\/~\/([^/]+)(\/.*)$/.exec(pathOf(request)) ?? [];
      if (named === own || !named.startsWith(own)) return undefined;
      return asking(request, `/~/${own}${rest}`, queryOf(request));
    }),
  },
  {
    id: 'path.other-provider.5001',
    says: 'A path of another service provider is refused with 501 and 5001.',
    notes: notes('1: /_/other.sp/mn-cse-1/..'),
    violates: {},
    because: 'No requirement speaks of another service provider.',
    wrap: handling((request, service, core) => {
      const [, provider] = /^\/_\/([^/]+)\//.exec(pathOf(request)) ?? [];
      const isOther = provider !== undefined && provider !== core.configuration.spId;
      return isOther ? refused(501, 5001, request) : service.handle(request);
    }),
  },
];
