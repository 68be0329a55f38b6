/** What discoveries find by what else their originator may read, and by content that is not said to be JSON. */
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest } from '../../dialects/http-message.ts';
import type { Deviation, Wrap } from '../deviation.ts';
import type { Exchange } from '../language/exchange.ts';
import { changedRequest } from '../language/message-changes.ts';
import { at, isObject } from '../language/scope.ts';
import { afterwards, meaning } from '../language/watching.ts';
import { foundIn, isSuccess, resourceAt } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, withBody } from '../vocabulary/changed-answers.ts';
import { jsonIn } from '../vocabulary/representations.ts';

const asAdministrator = (exchange: Exchange): HttpRequest => changedRequest({ as: 'administrator' }, exchange);

/** Another list in place of what was found. */
function finding(
  change: (found: readonly string[], exchange: Exchange) => readonly string[] | Promise<readonly string[]>,
): Wrap {
  return afterwards(meaning({ discovery: true, done: true, found: 'present' }), async (exchange) =>
    withBody(exchange.answer, { 'm2m:uril': await change(foundIn(exchange.answer.body) ?? [], exchange) }),
  );
}

type Passes = (resource: Resource, exchange: Exchange) => boolean | Promise<boolean>;

/** Finds, behind what is found rightly, what another request finds as well and passes. */
function findingAlso(instead: (exchange: Exchange) => HttpRequest, passes: Passes): Wrap {
  return finding(async (found, exchange) => {
    const wider = foundIn((await exchange.serve(instead(exchange))).body) ?? [];
    const others = wider.filter((address) => !found.includes(address));
    return [...found, ...(await passing(others, exchange, passes))];
  });
}

/** Those that lead to what passes. */
async function passing(addresses: readonly string[], exchange: Exchange, passes: Passes): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const address of addresses) {
    const resource = resourceAt(address, exchange.core);
    if (resource !== undefined && (await passes(resource, exchange))) kept.push(address);
  }
  return kept;
}

/** Whether the originator of a discovery may read a resource. */
async function mayRead({ request, serve }: Exchange, resource: Resource): Promise<boolean> {
  return isSuccess(await serve({ ...request, target: `/${resource.path}` }));
}

const above = (address: string) => address.slice(0, address.lastIndexOf('/'));

export const discoveries: readonly Deviation[] = [
  breaking(
    'std.discovery.without-right',
    'containers-read',
    'A discovery finds the containers that its originator may read, also where he may not discover them.',
    seeing('m2m:cnt'),
  ),
  breaking(
    'std.access.operation.discovery',
    'instances-read',
    'A discovery finds the content instances that its originator may read, also where he may not discover them.',
    seeing('m2m:cin'),
  ),
  breaking(
    'std.discovery.keeps-allowed',
    'beside-hidden',
    'A discovery leaves out what stands beside something that its originator may not discover.',
    finding(async (found, exchange) => {
      const all = foundIn((await exchange.serve(asAdministrator(exchange))).body) ?? [];
      const hidden = new Set(all.filter((one) => !found.includes(one)).map(above));
      return found.filter((one) => !hidden.has(above(one)));
    }),
  ),
  breaking(
    'std.discovery.below-hidden',
    'left-out',
    'A discovery leaves out what stands below something that its originator may not read.',
    finding((found, exchange) =>
      passing(found, exchange, async (resource) => {
        for (let one = resource.parent; one !== undefined && one !== exchange.target; one = one.parent) {
          if (!(await mayRead(exchange, one))) return false;
        }
        return true;
      }),
    ),
  ),
  breaking(
    'std.filter.cfq.other-content',
    'picked',
    'A cfq of one EQ to a member of the whole document also picks content that is JSON, and is not said to be.',
    findingAlso((exchange) => changedRequest({ ask: { cfq: null, cfs: null } }, exchange), holdsWhatIsAsked),
  ),
];

/** Finds, as if everybody might discover everything, what is of this kind and may be read. */
function seeing(root: string): Wrap {
  const seesMore = findingAlso(
    asAdministrator,
    (resource, exchange) => resource.type.root === root && mayRead(exchange, resource),
  );
  const toldNothing = afterwards(meaning({ discovery: true, code: 4103 }), ({ answer }) =>
    withBody(recoded(answer, 200, 2000), { 'm2m:uril': [] }),
  );
  return (service, core) => seesMore(toldNothing(service, core), core);
}

function holdsWhatIsAsked({ values }: Resource, { scope }: Exchange): boolean {
  const [, name = '', wanted] = /^\$\.(\w+) EQ (\S+)$/.exec(String(at('query.cfq', scope) ?? '')) ?? [];
  const document = jsonIn(String(values.con ?? ''));
  const isSaidToBe = String(values.cnf).startsWith('application/json');
  return !isSaidToBe && isObject(document) && name in document && String(document[name]) === wanted;
}
