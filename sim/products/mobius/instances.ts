/** Mobius: which content instance is the latest, and which one makes room. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import { resourceAtPath } from '../../faults/vocabulary/asked.ts';
import { handling } from '../../faults/vocabulary/blocks.ts';
import { codeOf, recoded } from '../../faults/vocabulary/changed-answers.ts';
import { asking, pathOf, queryOf, toBeCreated } from '../../faults/vocabulary/changed-requests.ts';
import type { Quirk } from '../product.ts';

const notes = (row: string) => `tinyiot-mobius.md 2, ${row}`;

/** In the order of their paths, which is that of their names. */
function byPath(container: Resource): Resource[] {
  return [...(container.instances ?? [])].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const containerType = 3;
const virtual = /^(.*)\/(la|ol|latest|oldest)$/;

/** Makes room in a full container by removing the instance whose path comes first, so that the CSE itself has nothing to remove. */
function makeRoom(container: Resource | undefined, bytes: number, { tree }: Cse): void {
  if (container?.instances === undefined) return;
  const { mni, mbs } = container.values;
  const most = typeof mni === 'number' ? mni : Number.POSITIVE_INFINITY;
  const largest = typeof mbs === 'number' ? mbs : Number.POSITIVE_INFINITY;
  if (bytes > largest || most === 0) return;
  const waiting = byPath(container);
  while (waiting.length + 1 > most || container.instanceBytes + bytes > largest) {
    const first = waiting.shift();
    if (first === undefined) return;
    tree.remove(first, 'to make room');
  }
}

export const instances: readonly Quirk[] = [
  {
    id: 'retention.first-path-goes',
    says: 'Where a container is full, the content instance goes whose path comes first in the alphabet, not the oldest.',
    notes: notes('mni overflow'),
    violates: { onem2m: ['std.retention.mni.oldest-goes', 'std.retention.mni.others-stay'] },
    wrap: (service, core) =>
      handling((request) => {
        const shown = toBeCreated(request);
        if (shown?.root === 'm2m:cin' && !('mni' in shown.attributes)) {
          const { con, rn } = shown.attributes;
          const container = resourceAtPath(pathOf(request), core);
          const isNew = typeof rn !== 'string' || container?.children?.has(rn) !== true;
          if (isNew)
            makeRoom(container, Buffer.byteLength(typeof con === 'string' ? con : JSON.stringify(con ?? '')), core);
        }
        return service.handle(request);
      })(service, core),
  },
  {
    id: 'latest.last-path',
    says: 'la is the content instance whose path comes last in the alphabet, not the newest.',
    notes: notes('la'),
    violates: { onem2m: ['std.latest.retrieve', 'std.latest.delete.gone', 'std.latest.delete.next'] },
    wrap: (service, core) =>
      handling((request) => {
        const [, path = '', name] = virtual.exec(pathOf(request)) ?? [];
        const container = name === 'la' && request.method !== 'POST' ? resourceAtPath(path, core) : undefined;
        const last = container?.type.ty === containerType ? byPath(container).at(-1) : undefined;
        if (last === undefined || request.method === 'PUT') return service.handle(request);
        return service.handle(asking(request, `${path}/${encodeURIComponent(last.name)}`, queryOf(request)));
      })(service, core),
  },
  {
    id: 'latest.update.409',
    says: 'An update of la or ol is refused with 4005, but with status 409.',
    notes: notes('update la (CIN)'),
    violates: { onem2m: ['std.http.4005'] },
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const updates = request.method === 'PUT' && virtual.test(pathOf(request));
      return updates && codeOf(answer) === 4005 ? recoded(answer, 409, 4005) : answer;
    }),
  },
];
