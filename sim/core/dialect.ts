/** What the core asks of a dialect: how values look on the wire, and which defaults hold. */
import type { AttributeType, Unreadable, Value } from './attribute-types.ts';
import type { Operation } from './primitive.ts';
import type { DialectName } from './resource-type.ts';

export interface DialectCodec {
  readonly name: DialectName;
  /** From a JSON value to the value that the core keeps. */
  read(type: AttributeType, value: unknown): Value | Unreadable;
  /** From the core's value to a JSON value; undefined leaves the attribute out. */
  write(type: AttributeType, value: Value | undefined): unknown;
  /** True for what stands for "not given" in a create. */
  isAbsent(value: unknown): boolean;
  /** What the absent value means in an update (`gaps`, rows 10 and 11). */
  readonly absentInUpdate: 'no change' | 'removal';
  /** The result content (`rcn`) that holds when the request names none. */
  readonly resultContent: Readonly<Record<Operation, number>>;
  /** True: filter criteria of a retrieve whose answer shows children say which of them; false: they are a condition only. */
  readonly criteriaSelectChildren: boolean;
  /** Resource identifiers: a counter for each kind, or random texts; an AE's is then its AE identifier (`gaps`, row 1). */
  readonly identifiers: 'counted' | 'random';
}
