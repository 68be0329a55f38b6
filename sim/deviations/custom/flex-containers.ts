/** Flexible containers, by what their definitions bring. */
import { flexContainerType } from '../../core/numbers.ts';
import type { Deviation, Wrap } from '../deviation.ts';
import type { Arrival } from '../language/exchange.ts';
import { takingAs, tellingAs } from '../language/memory.ts';
import { type Attributes, at, isObject } from '../language/scope.ts';
import { meaning } from '../language/watching.ts';

/** The kind that a request describes, where it is a flexible container. */
function kindIn({ scope, core }: Arrival) {
  const kind = core.configuration.kinds.find(({ root }) => root === at('root', scope));
  return kind?.ty === flexContainerType ? kind : undefined;
}

/** The names that its definition brings. */
function ownNames(arrival: Arrival): readonly string[] {
  const { kinds } = arrival.core.configuration;
  const container = kinds.find(({ root }) => root === 'm2m:cnt')?.attributes ?? {};
  const ofAll = new Set([...Object.keys(container), 'cnd', 'cs', 'fcied', 'nl', 'dgt']);
  return Object.keys(kindIn(arrival)?.attributes ?? {}).filter((name) => !ofAll.has(name));
}

function wholeNumbers(arrival: Arrival): readonly string[] {
  const types = kindIn(arrival)?.attributes;
  return ownNames(arrival).filter((name) => types?.[name]?.type === 'any integer');
}

const zeros = (names: readonly string[]): Attributes => Object.fromEntries(names.map((name) => [name, 0]));

/** The attributes with 0 in place of every text of the definition that should be a number. */
const takingTexts = (method: string) =>
  takingAs(meaning({ method }), (given, arrival) => {
    const texts = wholeNumbers(arrival).filter((name) => typeof given[name] === 'string');
    return { ...given, ...zeros(texts) };
  });

const breaking = (id: string, says: string, wrap: Wrap): Deviation => ({
  ...{ id, violates: id.slice(0, id.lastIndexOf('.')), says, wrap },
});

export const flexContainers: readonly Deviation[] = [
  breaking(
    'std.flex-container.update.others-stay.replaced',
    'After an update of a flexible container it tells no attribute of its definition that the update did not give.',
    tellingAs(meaning({ method: 'PUT', done: true }), (exchange) => {
      const names = ownNames(exchange);
      const given = at('given', exchange.scope);
      if (!isObject(given) || !names.some((name) => name in given)) return {};
      return Object.fromEntries(names.map((name) => [name, given[name]]));
    }),
  ),
  breaking(
    'std.flex-container.wrong-type.taken',
    'A text in place of a whole number of the definition is taken when a flexible container is created, and told.',
    takingTexts('POST'),
  ),
  breaking(
    'std.flex-container.wrong-type.update.taken',
    'A text in place of a whole number of the definition is taken when a flexible container is updated, and told.',
    takingTexts('PUT'),
  ),
  breaking(
    'std.flex-container.without-custom.filled-in',
    'A flexible container without a whole number that its definition requires is taken, and tells none.',
    takingAs(meaning({ method: 'POST' }), (given, arrival) => ({ ...zeros(wholeNumbers(arrival)), ...given })),
  ),
];
