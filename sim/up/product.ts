/** What `cselab up --as` starts: one CSE that differs as that product is known to. */
import { imitating, type Product, standInName } from '../products/product.ts';
import type { NodeSettings } from '../topology/node.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options.ts';

/** Undefined where none is asked for. Loads the products for those who have one. */
export async function productCalled(name: string | undefined): Promise<Product | undefined> {
  if (name === undefined) return undefined;
  const { productNames, ProductFileError, readProduct } = await import('../products/product-file.ts');
  if (!productNames.includes(name) && !/[./\\]/.test(name)) {
    throw new UpOptionsError(`--as: of ${productNames.join(', ')} none is called "${name}", and it is no product file`);
  }
  return readProduct(name).catch((error: unknown) => {
    throw error instanceof ProductFileError ? new UpOptionsError(`--as: ${error.message}`) : error;
  });
}

/** The flags with those that the product brings along. Throws an UpOptionsError for those that contradict it. */
export function optionsForProduct(options: UpOptions, product: Product | undefined): UpOptions {
  if (product === undefined) return options;
  if (options.gateway !== undefined) {
    throw new UpOptionsError('--as says itself what the gateway is; it goes without --gateway and --no-gateway');
  }
  const { dialect = 'documented', spId } = product.settings;
  if (options.dialect !== undefined && options.dialect !== dialect) {
    throw new UpOptionsError(
      `--as ${product.name} speaks the ${dialect} dialect, and what is known of it is known there`,
    );
  }
  return {
    ...options,
    dialect,
    ...(options.spId === undefined && spId !== undefined && { spId }),
  };
}

/** The shipped settings of the gateway, with the names and the ways of the product. */
export function productGateway(shipped: NodeSettings, product: Product): NodeSettings {
  const { pointOfAccess: _ofTheProduct, ...cse } = imitating(product);
  return { ...shipped, cse, imitates: standInName(product.name) };
}
