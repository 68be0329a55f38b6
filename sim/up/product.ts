/** What `cselab up --as` starts: one CSE that differs as that product is known to. */
import { type Product, quirkSettings } from '../products/product.ts';
import { standInName } from '../products/stand-in.ts';
import type { NodeSettings } from '../topology/node.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options-error.ts';

/** Undefined where none is asked for. Loads the products for those who have one. */
export async function productCalled(name: string | undefined): Promise<Product | undefined> {
  if (name === undefined) return undefined;
  const { products } = await import('../products/index.ts');
  return products.find((product) => product.name === name);
}

/** The flags with those that the product brings along. Throws an UpOptionsError for those that contradict it. */
export function optionsForProduct(options: UpOptions, product: Product | undefined): UpOptions {
  if (product === undefined) return options;
  if (options.gateway !== undefined) {
    throw new UpOptionsError('--as says itself what the gateway is; it goes without --gateway and --no-gateway');
  }
  const { dialect = 'documented', spId } = quirkSettings(product);
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
export function productGateway(
  shipped: NodeSettings,
  product: Product,
  backend: NodeSettings | undefined,
): NodeSettings {
  const { pointOfAccess: _ofTheNotes, ...cse } = quirkSettings(product);
  const { registration, ...settings } = shipped;
  const gateway = { ...settings, cse, quirks: product.quirks, imitates: standInName(product.name) };
  const [remote] = registration?.remoteCses ?? [];
  if (backend === undefined || registration === undefined || remote === undefined) return gateway;
  const { base = remote.base, cseId = remote.cseId } = backend.cse;
  return { ...gateway, registration: { ...registration, remoteCses: [{ ...remote, base, cseId }] } };
}

/** Throws an UpOptionsError where the product differs below HTTP. */
export function checkPlain(gateway: NodeSettings | undefined, { name }: Product): void {
  const isBelow = gateway?.quirks?.some(({ wire }) => wire !== undefined) === true;
  if (isBelow && gateway?.http?.enableHttps) {
    throw new UpOptionsError(`--as ${name} goes without --https: it differs below HTTP, where TLS would hide it`);
  }
}
