/** OpenMTC: what can be updated, and to what. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { readTimestamp, writeTimestamp } from '../../dialects/timestamp.ts';
import { type Attributes, resourceAtPath } from '../../faults/vocabulary/asked.ts';
import { handling } from '../../faults/vocabulary/blocks.ts';
import { codeOf, labelled, refused } from '../../faults/vocabulary/changed-answers.ts';
import { describing, pathOf, toBeWritten } from '../../faults/vocabulary/changed-requests.ts';
import { describedIn } from '../../faults/vocabulary/representations.ts';
import { Told } from '../../faults/vocabulary/told.ts';
import type { Quirk } from '../product.ts';

const notes = (section: string) => `openmtc.md ${section}`;

/** What clients may say of a resource that only the CSE should know. */
const readOnly: ReadonlySet<string> = new Set('ri pi ct lt ty aei nl cni cbs cr st'.split(' '));
/** Written once, at creation. */
const writeOnce: ReadonlySet<string> = new Set('api rn con csi cb cst'.split(' '));

const without = (attributes: Attributes, dropped: (name: string) => boolean): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !dropped(name)));

/** The resource that an update is for. */
function target(request: HttpRequest, core: Cse): Resource | undefined {
  return request.method === 'PUT' ? resourceAtPath(pathOf(request).replace(/\/+$/, ''), core) : undefined;
}

const second = 1_000_000;
const shortest = 5 * second;
const usual = 2000 * second;
const longest = 86_400 * second;

/** The expiration time that a create is given, by what it asked for; undefined for what is no time. */
function drawn(asked: unknown, now: number): number | undefined {
  if (asked === null || asked === undefined) return now + usual;
  const time = typeof asked === 'string' ? readTimestamp(asked) : undefined;
  return time === undefined ? undefined : Math.min(Math.max(time, now + shortest), now + longest);
}

export const updates: readonly Quirk[] = [
  {
    id: 'cse-base.not-updated',
    says: 'The CSE base is neither updated, nor deleted, nor created: 405 and 4005.',
    notes: notes('0: CSEBase: POST m2m:cb, PUT, DELETE -> 405/4005'),
    violates: {},
    because: 'That is what the standard wants.',
    wrap: handling((request, service, core) => {
      const isBase = resourceAtPath(pathOf(request), core) === core.tree.base;
      const creates = request.method === 'POST' && describedIn(request.body)?.root === 'm2m:cb';
      const changes = isBase && (request.method === 'PUT' || request.method === 'DELETE');
      return creates || changes ? refused(405, 4005, request) : service.handle(request);
    }),
  },
  {
    id: 'expiration.never',
    says: 'Nothing expires. A create is given 5 s at least and 86,400 s at most, whatever its parent has; an update sets any time.',
    notes: notes('3: nothing ever expires; et on create; 2: PUT et is stored verbatim'),
    violates: { onem2m: ['std.create.et-passed', 'std.update.et-passed'] },
    settings: { limits: { lifetime: 315_360_000 } },
    wrap: (service, core) => {
      const told = new Told();
      return handling(async (request) => {
        const shown = toBeWritten(request);
        if (shown === undefined) return told.in(await service.handle(request));
        const { et, ...attributes } = shown.attributes;
        const asked = typeof et === 'string' ? readTimestamp(et) : undefined;
        if (typeof et === 'string' && asked === undefined) return refused(400, 4000, request);
        const answer = await service.handle(describing(request, { ...shown, attributes }));
        const id = describedIn(answer.body)?.attributes.ri;
        const time = codeOf(answer) === 2001 ? drawn(et, core.services.ports.clock.now()) : asked;
        if (typeof id === 'string' && time !== undefined) told.say(id, { et: writeTimestamp(time) });
        return told.in(answer);
      })(service, core);
    },
  },
  {
    id: 'update.root.any',
    says: 'The root of an update is not compared with its target.',
    notes: notes('2: PUT root type is not compared with the target'),
    violates: { onem2m: ['std.update.wrong-root'] },
    wrap: handling((request, service, core) => {
      const shown = describedIn(request.body);
      const root = target(request, core)?.type.root;
      const isOther = shown !== undefined && root !== undefined && shown.root !== root;
      return service.handle(isOther ? describing(request, { ...shown, root }) : request);
    }),
  },
  {
    id: 'update.read-only.taken',
    says: 'An update of what only the CSE should set is done.',
    notes: notes('2: RO attributes are NOT rejected in PUT and do overwrite'),
    violates: { onem2m: ['std.update.read-only', 'std.update.read-only.unchanged'] },
    wrap: (service, core) => {
      const told = new Told();
      return handling(async (request) => {
        const found = target(request, core);
        const shown = describedIn(request.body);
        if (found === undefined || shown === undefined) return told.in(await service.handle(request));
        const said = without(shown.attributes, (name) => !readOnly.has(name) || shown.attributes[name] === null);
        const attributes = without(shown.attributes, (name) => readOnly.has(name));
        const answer = await service.handle(describing(request, { ...shown, attributes }));
        if (codeOf(answer) === 2004) told.say(found.id, said);
        return told.in(answer);
      })(service, core);
    },
  },
  {
    id: 'update.null.unchanged',
    says: 'null in an update leaves the attribute as it is; none can be removed.',
    notes: notes('2: null / [] / "" in PUT = leave unchanged'),
    violates: { onem2m: ['std.update.remove.gone', 'std.update.several.kept'] },
    settings: { dialect: 'documented' },
  },
  {
    id: 'content-instance.updated',
    says: 'A content instance is updated, by its own path and as la or ol.',
    notes: notes('4: PUT cin with lbl -> 2004 (not forbidden!); GET/DELETE/PUT ../la|ol'),
    violates: { onem2m: ['std.content-instance.update', 'std.latest.update', 'std.oldest.update'] },
    wrap: handling((request, service, core) => {
      const found = target(request, core);
      const shown = describedIn(request.body);
      if (found?.type.root !== 'm2m:cin' || shown === undefined) return service.handle(request);
      if (Object.keys(shown.attributes).some((name) => writeOnce.has(name))) return refused(400, 4000, request);
      const { lbl } = shown.attributes;
      if (Array.isArray(lbl) && lbl.length > 0) core.tree.relabel(found, lbl.map(String));
      found.modified = core.services.maker.tick();
      found.stateTag = 1;
      return asUpdated(request, service.handle({ ...request, method: 'GET', body: new Uint8Array() }));
    }),
  },
  {
    id: 'state-tag.reset',
    says: 'An update of a container sets its state tag to 1.',
    notes: notes('3: st: PUT sets it to 1'),
    violates: { onem2m: ['std.container.st.counts-updates'] },
    wrap: handling((request, service, core) => {
      const found = target(request, core);
      if (found?.type.root === 'm2m:cnt') found.stateTag = 0;
      return service.handle(request);
    }),
  },
];

async function asUpdated(request: HttpRequest, reading: HttpResponse | Promise<HttpResponse>): Promise<HttpResponse> {
  const read = await reading;
  if (codeOf(read) !== 2000) return refused(400, 4000, request);
  return labelled(read, { 'X-M2M-RSC': '2004' });
}
