import { startNode } from '../topology/node.ts';
import { imitating, type Product, standInName } from './product.ts';

export interface ProductServerOptions {
  /** 0, or none given: a free port. */
  readonly port?: number;
  /** Address to listen on, 127.0.0.1 unless given. */
  readonly interface?: string;
}

export interface ProductServer extends AsyncDisposable {
  /** No slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves what imitates a product until it is closed. Rejects with node's error when the address cannot be listened on. */
export async function serveProduct(product: Product, options: ProductServerOptions = {}): Promise<ProductServer> {
  const node = await startNode(
    {
      cse: imitating(product),
      http: options,
      imitates: standInName(product.name),
      disturbances: product.disturbance,
    },
    { onError: () => {} },
  );
  await node.startDisturbing();
  const { url = '', close } = node;
  return { url, close, [Symbol.asyncDispose]: close };
}
