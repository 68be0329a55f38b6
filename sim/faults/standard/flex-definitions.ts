/** What flexible containers are by their definitions, and the instances that they keep. */

import type { Cse } from '../../core/cse.ts';
import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { elsewhere } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { beforehand, giving, refusedAs, rejecting } from '../vocabulary/standard-exchanges.ts';
import {
  createsFlexContainer,
  isFlexContainer,
  kindOf,
  ownNames,
  takingFlexContainer,
} from '../vocabulary/standard-flex.ts';
import { showing } from '../vocabulary/standard-shown.ts';
import { takingOtherwise } from '../vocabulary/standard-taken.ts';

/** The attributes with 0 in place of every text of the definition that should be a number. */
function withNumbers(attributes: Attributes, root: string, core: Cse): Attributes {
  const types = kindOf(root, core)?.attributes;
  const isWrong = (name: string, value: unknown) => types?.[name]?.type === 'any integer' && typeof value === 'string';
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, isWrong(name, value) ? 0 : value]),
  );
}

const checked: readonly Fault[] = [
  breaking(
    'std.flex-container.without-cnd',
    'by-root',
    'A flexible container without cnd is taken, by its root, and tells none.',
    takingFlexContainer((attributes, root, core) =>
      attributes.cnd === undefined ? { ...attributes, cnd: kindOf(root, core)?.definition } : undefined,
    ),
  ),
  breaking(
    'std.flex-container.unknown-definition',
    'not-found',
    'A definition that is not known is refused with 4004.',
    refusedAs({ status: 404, code: 4004 }, 4125),
  ),
  breaking(
    'std.flex-container.wrong-type',
    'taken',
    'A text in place of a whole number of the definition is taken when a flexible container is created, and told.',
    takingFlexContainer(withNumbers),
  ),
  breaking(
    'std.flex-container.wrong-type.update',
    'taken',
    'A text in place of a whole number of the definition is taken when a flexible container is updated, and told.',
    takingOtherwise(({ root, attributes }, core, { method }) =>
      method === 'PUT' && kindOf(root, core) !== undefined ? withNumbers(attributes, root, core) : undefined,
    ),
  ),
  breaking(
    'std.flex-container.without-custom',
    'filled-in',
    'A flexible container without a whole number that its definition requires is taken, and tells none.',
    takingFlexContainer((attributes, root, core) => {
      const types = kindOf(root, core)?.attributes;
      const numbers = ownNames(root, core).filter((name) => types?.[name]?.type === 'any integer');
      return { ...Object.fromEntries(numbers.map((name) => [name, 0])), ...attributes };
    }),
  ),
  breaking(
    'std.flex-container.other-root',
    'by-root',
    'A flexible container whose cnd is that of another root is taken by its root, and told with the cnd that was given.',
    takingFlexContainer((attributes, root, core) => {
      const { definition } = kindOf(root, core) ?? {};
      const isKnown = core.configuration.kinds.some((kind) => kind.definition === attributes.cnd);
      return isKnown && attributes.cnd !== undefined ? { ...attributes, cnd: definition } : undefined;
    }),
  ),
];

/** The path of the newest instance is taken for that of the oldest, or the other way round. */
const exchanged = (from: RegExp, to: string) =>
  beforehand(({ about, request, serve, addressed }) =>
    about.method === 'GET' && from.test(about.path) && isFlexContainer(addressed?.parent)
      ? serve(elsewhere(request, about.path.replace(from, to)))
      : undefined,
  );

const more = (name: 'mni' | 'mbs', change: (limit: number) => number) =>
  takingFlexContainer((attributes) =>
    attributes.fcied === true && typeof attributes[name] === 'number'
      ? { ...attributes, [name]: change(attributes[name]) }
      : undefined,
  );

const instances: readonly Fault[] = [
  breaking(
    'std.flex-container.instances',
    'not-allowed',
    'A flexible container with fcied is refused with 4005.',
    rejecting({ status: 405, code: 4005 }, (arrival) => createsFlexContainer(arrival) && giving('fcied')(arrival)),
  ),
  breaking(
    'std.flex-container.latest',
    'oldest',
    'The newest instance of a flexible container is answered by the oldest.',
    exchanged(/\/la$/, '/ol'),
  ),
  breaking(
    'std.flex-container.oldest',
    'latest',
    'The oldest instance of a flexible container is answered by the newest.',
    exchanged(/\/ol$/, '/la'),
  ),
  breaking(
    'std.flex-container.latest.kind',
    'content-instance',
    'An instance of a flexible container tells type 4.',
    showing(
      ({ about, addressed }) => about.method === 'GET' && isFlexContainer(addressed?.parent),
      (attributes) => ({ ...attributes, ty: 4 }),
    ),
  ),
  breaking(
    'std.flex-container.mni',
    'one-more',
    'A flexible container with fcied keeps one instance more than its mni.',
    more('mni', (limit) => limit + 1),
  ),
  breaking(
    'std.flex-container.mbs',
    'twice',
    'A flexible container with fcied keeps twice as many bytes of instances as its mbs.',
    more('mbs', (limit) => 2 * limit),
  ),
];

export const flexDefinitions: readonly Fault[] = [...checked, ...instances];
