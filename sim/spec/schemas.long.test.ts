/** What the schemas take is what the CSE takes: both read the same tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Unreadable } from '../core/attribute-types.ts';
import type { DialectCodec } from '../core/configuration.ts';
import type { ResourceType } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import { readAttributes } from '../core/validate.ts';
import { documented } from '../dialects/documented.ts';
import { onem2m } from '../dialects/onem2m.ts';
import { resourceSchemas } from './schemas.ts';

const moment = '20300101T000000';
const values: readonly unknown[] = [
  ...['', 'a', ' a', 'a b', '/other', 'N.app', 'TRUE', 'true', 'PT1M', 'P', moment, '2030-01-01T00:00:00Z', '-5'],
  ...[
    'text/plain:0',
    'application/json',
    'application/json,',
    0,
    1,
    2,
    3,
    7,
    64,
    100,
    999,
    1000,
    -1,
    1.5,
    2 ** 53,
    true,
  ],
  ...[false, null, [], [''], ['a'], ['a', ' b'], [1], [-1], [1, 'a'], [null], ['application/json', 'application/cbor']],
  ...[{}, { num: 1 }, { num: 1, dur: 'PT1M' }, { dur: 'x' }, { other: 1 }, { net: [1, 3] }, { net: [0] }, { fo: 1 }],
  ...[{ acr: [] }, { acr: [{ acor: ['a'], acop: 63 }] }, { acr: [{ acor: ['a'] }] }, [{ acor: ['a'], acop: 1 }]],
  ...[{ crb: moment }, { crb: 'x' }, { mnn: 3, tww: 'PT5S' }, { esf: [1] }, [{ se: [{ sce: ['* * * * * * *'] }] }]],
  ...[[{ se: [] }], [{ nm: 'a', val: 'b' }], { om: [{ ops: 1, or: 'a' }] }, { md: { num: 0, dur: 'PT1S' } }],
];

/** Where the CSE takes more: lists of bits that frameworks send, members that are null, and null or an empty list for "not given". */
const isLenient = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && (value.length === 0 || value.some((one) => one === null)));

type Operation = 'create' | 'update';

function reads(type: ResourceType, operation: Operation, given: Record<string, unknown>, dialect: DialectCodec) {
  try {
    readAttributes(type, operation, given, dialect);
    return true;
  } catch (error) {
    if (error instanceof CseError) return false;
    throw error;
  }
}

/** A value of each attribute that a create has to give. */
function neededBy(type: ResourceType, dialect: DialectCodec): Record<string, unknown> {
  const isFit = (name: string) => (value: unknown) => value !== '' && reads(type, 'update', { [name]: value }, dialect);
  const isOfType = (name: string) => (value: unknown) => {
    const { type: of = 'any', form } = type.attributes[name] ?? {};
    return (
      value !== '' && !(dialect.read(of, value) instanceof Unreadable) && form?.pattern.test(String(value)) !== false
    );
  };
  const sound = values.filter((value) => !dialect.isAbsent(value));
  return Object.fromEntries(
    type.mandatory.map((name) => [name, sound.find(isFit(name)) ?? sound.find(isOfType(name))]),
  );
}

for (const dialect of [documented, onem2m] as readonly DialectCodec[]) {
  const { types, schemas } = resourceSchemas(dialect.name);
  const ajv = new Ajv2020({ strict: true });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);

  /** How many of the values are taken, by both. */
  const compared = (type: ResourceType, operation: Operation, name: string): number => {
    const validate = ajv.getSchema(name) ?? assert.fail(name);
    const fits = (given: Record<string, unknown>) => validate({ [type.root]: given }) === true;
    const base = operation === 'create' ? neededBy(type, dialect) : {};
    assert.deepEqual(
      [reads(type, operation, base, dialect), fits(base)],
      [true, true],
      `${name} ${JSON.stringify(base)}`,
    );
    for (const needed of Object.keys(base)) {
      const { [needed]: _left, ...others } = base;
      assert.equal(fits(others), false, `${name} without ${needed}`);
    }
    const names = [...type.entries.map((entry) => entry.name), 'unknown'];
    const cases = names.flatMap((attribute) => values.map((value) => [attribute, value] as const));
    const taken = cases.filter(([attribute, value]) => {
      const given = { ...base, [attribute]: value };
      const [isRead, isTaken] = [reads(type, operation, given, dialect), fits(given)];
      const isSame = isRead === isTaken || (isRead && isLenient(value));
      assert.ok(isSame, `${name} ${attribute}: ${JSON.stringify(value)} is ${isRead ? '' : 'not '}read`);
      return isTaken;
    });
    return taken.length;
  };

  test(`the schemas of the ${dialect.name} dialect take what its CSE takes`, () => {
    let taken = 0;
    for (const { type, create, update } of types) {
      if (create !== undefined) taken += compared(type, 'create', create);
      if (update !== undefined) taken += compared(type, 'update', update);
    }
    assert.ok(taken > 1_000, `only ${taken} values are taken`);
  });
}
