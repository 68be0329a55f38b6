/** A dialect as the core uses it: the wire form of values, and defaults. */
import type { AttributeType, Unreadable, Value } from './attribute-types.ts';
import type { Operation } from './primitive.ts';
import type { DialectName } from './resource-type.ts';

export interface DialectCodec {
  readonly name: DialectName;
  /** From a JSON value to the core's value. */
  read(type: AttributeType, value: unknown): Value | Unreadable;
  /** From the core's value to a JSON value; undefined leaves the attribute out. */
  write(type: AttributeType, value: Value | undefined): unknown;
  /** True for values that mean "absent" in a create. */
  isAbsent(value: unknown): boolean;
  /** What such a value means in an update (`gaps`, rows 10 and 11). */
  readonly absentInUpdate: 'no change' | 'removal';
  /** The default result content (`rcn`). */
  readonly resultContent: Readonly<Record<Operation, number>>;
  /** True: filter criteria of a retrieve with children select among those; false: they are a condition only. */
  readonly criteriaSelectChildren: boolean;
  /** Resource identifiers: a counter for each type, or random text, where an AE's is its AE-ID (`gaps`, row 1). */
  readonly identifiers: 'counted' | 'random';
}
