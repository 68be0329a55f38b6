/** What the core asks of a dialect: how values look on the wire, and which defaults hold. */
import type { Operation } from './primitive.ts';
import type { AttributeType, Value } from './resource-type.ts';

/** The answer of `Dialect.read` for a value that is not of the type. */
export interface Unreadable {
  /** Completes the sentence "<attribute> …": `must be a text`. */
  readonly unreadable: string;
}

export interface Dialect {
  readonly name: 'documented' | 'onem2m';
  /** From a JSON value to the value that the core keeps. */
  read(type: AttributeType, value: unknown): Value | Unreadable;
  /** From the core's value to a JSON value; undefined leaves the attribute out. */
  write(type: AttributeType, value: Value | undefined): unknown;
  /** True for what stands for "not given" in a request. */
  isAbsent(value: unknown): boolean;
  /** The result content (`rcn`) that holds when the request names none. */
  readonly resultContent: Readonly<Record<Operation, number>>;
}

export function isUnreadable(result: Value | Unreadable): result is Unreadable {
  return typeof result === 'object' && 'unreadable' in result;
}
