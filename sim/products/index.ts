/** The only list of products. */
import { acme } from './acme.ts';
import { mobius } from './mobius.ts';
import { openmtc } from './openmtc.ts';
import type { Product } from './product.ts';
import { tinyiot } from './tinyiot.ts';

export const products: readonly Product[] = [acme, tinyiot, mobius, openmtc];
