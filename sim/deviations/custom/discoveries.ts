/** What discoveries find by what else their originator may read, and by content that is not said to be JSON. */
import type { Resource } from '../../core/resource.ts';
import type { Deviation } from '../deviation.ts';
import { foundIn } from '../vocabulary/asked.ts';
import { withQuery } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, withBody } from '../vocabulary/changed-answers.ts';
import { isObject, jsonIn } from '../vocabulary/representations.ts';
import { finding, findingAlso, mayRead, passing } from '../vocabulary/standard-discoveries.ts';
import { afterwards, asAdministrator, type Exchange } from '../vocabulary/standard-exchanges.ts';

const isDiscovery = ({ about }: Exchange) => about.discovery;
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
    finding(isDiscovery, async (found, exchange) => {
      const all = foundIn((await exchange.serve(asAdministrator(exchange))).body) ?? [];
      const hidden = new Set(all.filter((one) => !found.includes(one)).map(above));
      return found.filter((one) => !hidden.has(above(one)));
    }),
  ),
  breaking(
    'std.discovery.below-hidden',
    'left-out',
    'A discovery leaves out what stands below something that its originator may not read.',
    finding(isDiscovery, (found, exchange) =>
      passing(found, exchange, async (resource) => {
        for (let one = resource.parent; one !== undefined && one !== exchange.addressed; one = one.parent) {
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
    findingAlso(
      isDiscovery,
      ({ request }) =>
        withQuery(request, (query) => {
          query.delete('cfq');
          query.delete('cfs');
        }),
      holdsWhatIsAsked,
    ),
  ),
];

/** Finds, as if everybody might discover everything, what is of this kind and may be read. */
function seeing(root: string): NonNullable<Deviation['wrap']> {
  const seesMore = findingAlso(
    isDiscovery,
    asAdministrator,
    (resource, exchange) => resource.type.root === root && mayRead(exchange, resource),
  );
  const toldNothing = afterwards((exchange) =>
    isDiscovery(exchange) && exchange.code === 4103
      ? withBody(recoded(exchange.answer, 200, 2000), { 'm2m:uril': [] })
      : undefined,
  );
  return (service, core) => seesMore(toldNothing(service, core), core);
}

function holdsWhatIsAsked({ values }: Resource, { about }: Exchange): boolean {
  const [, name = '', wanted] = /^\$\.(\w+) EQ (\S+)$/.exec(about.query.get('cfq') ?? '') ?? [];
  const document = jsonIn(String(values.con ?? ''));
  const isSaidToBe = String(values.cnf).startsWith('application/json');
  return !isSaidToBe && isObject(document) && name in document && String(document[name]) === wanted;
}
