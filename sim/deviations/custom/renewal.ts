/** What a renewal of the registration with another CSE does to the gateway. Left to generators: a scenario would meet it by chance. */
import type { Resource } from '../../core/resource.ts';
import type { Deviation } from '../deviation.ts';

function* below(resource: Resource): Generator<Resource> {
  for (const child of [...(resource.children?.values() ?? [])]) {
    yield child;
    yield* below(child);
  }
}

export const renewal: readonly Deviation[] = [
  {
    id: 'pair.renewal.loses-labels',
    violates: 'discovery.label.finds',
    sequencesOnly: true,
    says: 'When its registration is renewed the gateway forgets the labels of everything.',
    wrapSender: (sender, core) => ({
      async send(url, request, signal) {
        const answer = await sender.send(url, request, signal);
        const renews = request.method === 'PUT' && String(request.body).includes('m2m:csr');
        if (renews) for (const resource of below(core.tree.base)) core.tree.relabel(resource, undefined);
        return answer;
      },
    }),
  },
];
