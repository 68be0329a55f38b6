/** The kinds that the CSE knows. */
import { type DialectName, kindIn, type ResourceType, type ResourceTypeTable } from '../core/resource-type.ts';
import { ae } from './ae.ts';
import { container } from './container.ts';
import { contentInstance } from './content-instance.ts';
import { cseBase } from './cse-base.ts';
import { remoteCse } from './remote-cse.ts';

const tables: readonly ResourceTypeTable[] = [cseBase, ae, container, contentInstance, remoteCse];

/** All of them, as they are in a dialect. */
export function kindsIn(dialect: DialectName): readonly ResourceType[] {
  return tables.filter(({ only }) => only === undefined || only === dialect).map((table) => kindIn(dialect, table));
}
