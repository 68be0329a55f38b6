/** Deviations that rows cannot express: below HTTP, reused numbers, gathering groups, and renewals. */
import type { Resource } from '../../core/resource.ts';
import { watchTree } from '../../core/tree.ts';
import { isObject, jsonIn } from '../../dialects/body.ts';
import { arrivalOf } from '../language/exchange.ts';
import { collectingGroupOf, coversEvent } from '../language/outgoing.ts';
import { at } from '../language/scope.ts';
import { matchersOf } from '../language/selector.ts';
import { watching } from '../language/watching.ts';
import { handling, type Wrap, type WrittenDeviation } from '../vocabulary/deviation.ts';
import { isSuccess, withoutHeaders } from '../vocabulary/messages.ts';

type Writes = NonNullable<WrittenDeviation['writes']>;

/** node sends a body without a declared length in chunks. */
const writeInChunks: Writes = ({ status, headers, body }, { response }) => {
  if (response.destroyed || response.req.method === 'HEAD' || body.length === 0) return false;
  response.writeHead(status, { ...headers });
  response.write(body);
  response.end();
  return true;
};

const exactCase: Writes = (answer, { response, write }) => {
  const names = response.req.rawHeaders.filter((_, at) => at % 2 === 0);
  const isMisspelt = names.some((name) => name !== 'X-M2M-RI' && name.toLowerCase() === 'x-m2m-ri');
  if (isMisspelt) write(withoutHeaders(answer, 'X-M2M-RI'));
  return isMisspelt;
};

/** Numbers resources of a type by their present count, so that a number is reused after a removal. */
function renumbering(
  applies: (resource: Resource) => boolean,
  identifierOf: (resource: Resource) => unknown,
  keys: string[],
): Wrap {
  return (service, core) => {
    const renumbered = new Map<unknown, string>();
    let count = 0;
    watchTree(core.tree, {
      added: (resource) => {
        if (applies(resource))
          renumbered.set(identifierOf(resource), String(identifierOf(resource)).replace(/\d+$/, String(count++)));
      },
      removed: (resource) => {
        if (applies(resource)) count -= 1;
      },
    });
    return handling(async (request, inner) => {
      const answer = await inner.handle(request);
      const value = isSuccess(answer) ? jsonIn(answer.body) : undefined;
      const renamed = (name: string, one: unknown) => (keys.includes(name) ? (renumbered.get(one) ?? one) : one);
      return value === undefined ? answer : { ...answer, body: JSON.stringify(value, renamed) };
    })(service, core);
  };
}

const isContainer = ({ type }: Resource) => type.root === 'm2m:cnt';

const isCounted = ({ type, values, creator }: Resource) => {
  const aei = String(values.aei);
  return type.root === 'm2m:ae' && /^C\d+$/.test(aei) && !creator?.endsWith(aei);
};

// A group that does not wait to gather the notifications of its members.

/** Ten at most. */
const aggregatesFew = ({ values: { nar } }: Resource) => isObject(nar) && Number(nar.num) <= 10;

/** As an aggregated notification with one in it. */
const forwardingFirst: Wrap = (service, core) => {
  const notifiedGroups = new Set<Resource>();
  return watching(
    ({ target, scope, answer }, isMatch) => {
      if (!isMatch) return answer;
      const nev = { net: 3, rep: at('response-body', scope) };
      for (const subscription of target?.subscriptions ?? []) {
        const group = coversEvent(subscription.values, nev.net) ? collectingGroupOf(subscription, core) : undefined;
        if (group === undefined || notifiedGroups.has(group) || !aggregatesFew(group)) continue;
        notifiedGroups.add(group);
        const one = { nev, sur: `/${core.configuration.cseId}/${subscription.id}` };
        const content = { 'm2m:agn': { 'm2m:sgn': [one] } };
        core.services.notifier.forward(String(subscription.values.nfu), content).catch(() => {});
      }
      return answer;
    },
    { ...matchersOf({ create: 'any', success: true, returned: 'present' }), arrive: arrivalOf },
  )(service, core);
};

export const codedDeviations: readonly WrittenDeviation[] = [
  {
    id: 'std.headers.content-length.left-out',
    violates: 'std.headers.content-length',
    says: 'The body of a response is chunked, without Content-Length.',
    equivalent: 'A chunked response has no Content-Length (RFC 9112 6.2).',
    writes: writeInChunks,
  },
  {
    id: 'std.headers.case.word-for-word',
    violates: 'std.headers.case',
    says: 'The request identifier is returned only if its header is spelled X-M2M-RI.',
    writes: exactCase,
  },
  {
    id: 'stateful.second-life.container-ri-again',
    violates: 'common.ri.distinct',
    sequencesOnly: true,
    says: 'The number in the identifier of a container is the count of containers at its creation.',
    wrap: renumbering(isContainer, ({ id }) => id, ['ri', 'pi', 'val']),
  },
  {
    id: 'stateful.second-life.aei-again',
    violates: 'ae.aei.distinct',
    sequencesOnly: true,
    says: 'The number in a generated AE-ID is the count of generated AE-IDs at its assignment.',
    wrap: renumbering(isCounted, ({ values }) => values.aei, ['aei']),
  },
  {
    id: 'std.fan-out.notifications.held-back.first-at-once',
    violates: 'std.fan-out.notifications.held-back',
    says: 'A group that aggregates at most ten notifications also forwards the first one of a created child at once.',
    wrap: forwardingFirst,
  },
  {
    id: 'pair.renewal.loses-labels',
    violates: 'discovery.label.finds',
    // Left to generators: a scenario would detect it only by chance.
    sequencesOnly: true,
    says: 'The renewal of its registration removes all labels of the gateway.',
    wrapSender: (sender, core) => ({
      async send(url, request, signal) {
        const answer = await sender.send(url, request, signal);
        const renews = request.method === 'PUT' && String(request.body).includes('m2m:csr');
        if (renews) for (const resource of core.tree.byCreation) core.tree.relabel(resource, undefined);
        return answer;
      },
    }),
  },
];
