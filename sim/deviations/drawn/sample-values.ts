/** Values that attributes of a type can have on the wire, for requests that are made up. */
import fc from 'fast-check';
import type { AttributeType } from '../../core/attribute-types.ts';
import type { DialectName } from '../../core/resource-type.ts';

/** Short and long ones, with letters of each class that a deviation may be about. */
const texts = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('Living Room', 'ÄÖ températures', ' around ', '007', 'tab\there', 'x'.repeat(300), 'y'.repeat(5000)),
);
const tokens = fc.constantFrom('a', 'Label', 'two-words', 'ümlaut', '0042');

/** Undefined for a type of which nothing can be made up. */
export function sampleOf(type: AttributeType, dialect: DialectName): fc.Arbitrary<unknown> | undefined {
  if (typeof type === 'string') return simple[type]?.(dialect);
  if ('oneOf' in type) return fc.constantFrom<unknown>(...type.oneOf);
  if ('listOf' in type) {
    const element = sampleOf(type.listOf, dialect);
    return element && fc.array(element, { minLength: Math.max(1, type.atLeast ?? 0), maxLength: 3 });
  }
  return undefined;
}

type Simple = Extract<AttributeType, string>;

const whole = (min: number) => () => fc.oneof(fc.integer({ min, max: 30 }), fc.constantFrom(127, 128, 255, 65_536));

const simple: Readonly<Partial<Record<Simple, (dialect: DialectName) => fc.Arbitrary<unknown>>>> = {
  text: () => texts,
  any: () => texts,
  'list of text': () => fc.array(texts, { minLength: 1, maxLength: 3 }),
  'list of token': () => fc.uniqueArray(tokens, { minLength: 1, maxLength: 3 }),
  'list of integer': () => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 }),
  integer: whole(0),
  'positive integer': whole(1),
  'any integer': whole(-5),
  number: () => fc.constantFrom(0, 1.5, -3, 21.25),
  boolean: (dialect) => (dialect === 'documented' ? fc.constantFrom('TRUE', 'FALSE') : fc.boolean()),
  timestamp: () => fc.constantFrom('20991231T235959', '20500101T000000'),
  'absolute or relative timestamp': () => fc.constantFrom('20991231T235959', '20200101T000000'),
};
