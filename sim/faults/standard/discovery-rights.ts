/** What discoveries find for whom. */

import type { Resource } from '../../core/resource.ts';
import type { Fault } from '../fault.ts';
import { foundIn } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, withBody } from '../vocabulary/changed-answers.ts';
import { finding, findingAlso, findingOnly, mayRead } from '../vocabulary/standard-discoveries.ts';
import { afterwards, asAdministrator } from '../vocabulary/standard-exchanges.ts';

const isLeaf = ({ children }: Resource) => children === undefined || children.size === 0;
export const discoveryRights: readonly Fault[] = [
  breaking(
    'std.discovery.without-right',
    'containers-read',
    'A discovery finds the containers that its originator may read, also where he may not discover them.',
    seeing((resource, exchange) => resource.type.root === 'm2m:cnt' && mayRead(exchange, resource)),
  ),
  breaking(
    'std.access.operation.discovery',
    'instances-read',
    'A discovery finds the content instances that its originator may read, also where he may not discover them.',
    seeing((resource, exchange) => resource.type.root === 'm2m:cin' && mayRead(exchange, resource)),
  ),
  breaking(
    'std.discovery.leaves-out',
    'listed',
    'Where a discovery finds something it lists, of what its originator may not discover, that which holds nothing.',
    findingAlso(
      ({ answer }) => (foundIn(answer.body)?.length ?? 0) > 0,
      (exchange) => asAdministrator(exchange),
      isLeaf,
    ),
  ),
  breaking(
    'std.discovery.keeps-allowed',
    'beside-hidden',
    'A discovery leaves out what stands beside something that its originator may not discover.',
    finding(
      ({ about }) => about.discovery,
      async (found, exchange) => {
        const all = foundIn((await exchange.serve(asAdministrator(exchange))).body) ?? [];
        const hidden = new Set(all.filter((one) => !found.includes(one)).map(above));
        return found.filter((one) => !hidden.has(above(one)));
      },
    ),
  ),
  breaking(
    'std.discovery.below-hidden',
    'left-out',
    'A discovery leaves out what stands below something that its originator may not read.',
    findingOnly(
      ({ about }) => about.discovery,
      async (resource, exchange) => {
        for (let one = resource.parent; one !== undefined && one !== exchange.addressed; one = one.parent) {
          if (!(await mayRead(exchange, one))) return false;
        }
        return true;
      },
    ),
  ),
];

/** Finds, as if everybody might discover everything, what passes. */
function seeing(passes: Parameters<typeof findingAlso>[2]) {
  const seesMore = findingAlso(({ about }) => about.discovery, asAdministrator, passes);
  const toldNothing = afterwards((exchange) =>
    exchange.about.discovery && exchange.code === 4103
      ? withBody(recoded(exchange.answer, 200, 2000), { 'm2m:uril': [] })
      : undefined,
  );
  return ((service, core) => seesMore(toldNothing(service, core), core)) satisfies Fault['wrap'];
}

const above = (address: string) => address.slice(0, address.lastIndexOf('/'));
