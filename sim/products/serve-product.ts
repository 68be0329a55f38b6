import { startNode } from '../topology/node.ts';
import { imitating, type Product, standInName } from './product.ts';

export interface ProductServerOptions {
  /** 0 or absent: a free port. */
  readonly port?: number;
  /** Address to listen on, 127.0.0.1 unless given. */
  readonly interface?: string;
}

export interface ProductServer extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an imitation of a product until closed. Rejects with node's error when it cannot listen on the address. */
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
