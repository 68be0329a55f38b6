/** Flexible containers, by what their definitions bring. */
import type { Cse } from '../../core/cse.ts';
import type { Deviation } from '../deviation.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { tellingFromThenOn } from '../vocabulary/standard-shown.ts';
import { takingOtherwise } from '../vocabulary/standard-taken.ts';

const flexContainer = 28;

/** The names that the definition below a root brings; undefined for a root of another kind. */
function ownNames(root: string, { configuration: { kinds } }: Cse): readonly string[] | undefined {
  const kind = kinds.find((one) => one.root === root);
  const container = kinds.find((one) => one.root === 'm2m:cnt')?.attributes ?? {};
  const ofAll = new Set([...Object.keys(container), 'cnd', 'cs', 'fcied', 'nl', 'dgt']);
  return kind?.ty === flexContainer ? Object.keys(kind.attributes).filter((name) => !ofAll.has(name)) : undefined;
}

function wholeNumbers(root: string, core: Cse): readonly string[] {
  const types = core.configuration.kinds.find((one) => one.root === root)?.attributes;
  return (ownNames(root, core) ?? []).filter((name) => types?.[name]?.type === 'any integer');
}

const zeros = (names: readonly string[]): Attributes => Object.fromEntries(names.map((name) => [name, 0]));

/** The attributes with 0 in place of every text of the definition that should be a number. */
const takingTexts = (method: string) =>
  takingOtherwise(({ root, attributes }, core, request) => {
    const texts = wholeNumbers(root, core).filter((name) => typeof attributes[name] === 'string');
    return request.method === method ? { ...attributes, ...zeros(texts) } : undefined;
  });

export const flexContainers: readonly Deviation[] = [
  breaking(
    'std.flex-container.update.others-stay',
    'replaced',
    'After an update of a flexible container it tells no attribute of its definition that the update did not give.',
    tellingFromThenOn(({ about, given, core }) => {
      const names = about.method === 'PUT' && given !== undefined ? (ownNames(given.root, core) ?? []) : [];
      if (!names.some((name) => name in (given?.attributes ?? {}))) return undefined;
      return Object.fromEntries(names.map((name) => [name, given?.attributes[name]]));
    }),
  ),
  breaking(
    'std.flex-container.wrong-type',
    'taken',
    'A text in place of a whole number of the definition is taken when a flexible container is created, and told.',
    takingTexts('POST'),
  ),
  breaking(
    'std.flex-container.wrong-type.update',
    'taken',
    'A text in place of a whole number of the definition is taken when a flexible container is updated, and told.',
    takingTexts('PUT'),
  ),
  breaking(
    'std.flex-container.without-custom',
    'filled-in',
    'A flexible container without a whole number that its definition requires is taken, and tells none.',
    takingOtherwise(({ root, attributes }, core, { method }) =>
      method === 'POST' ? { ...zeros(wholeNumbers(root, core)), ...attributes } : undefined,
    ),
  ),
];
