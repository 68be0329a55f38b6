import { serveHttp } from '../bindings/http.ts';
import { behindWires } from './behind-wires.ts';
import type { Product, Quirk } from './product.ts';
import { productService } from './product-service.ts';

export interface ProductServerOptions {
  /** 0, or none given: a free port. */
  readonly port?: number;
  /** Address to listen on, 127.0.0.1 unless given. */
  readonly interface?: string;
  /** All of the product's unless given. */
  readonly quirks?: readonly Quirk[];
}

export interface ProductServer {
  /** No slash at its end. */
  readonly url: string;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a product until it is closed. Rejects with node's error when the address cannot be listened on. */
export async function serveProduct(
  product: Product,
  { port = 0, interface: address = '127.0.0.1', quirks = product.quirks }: ProductServerOptions = {},
): Promise<ProductServer> {
  const wires = quirks.flatMap(({ wire }) => wire ?? []);
  const { http } = productService(product, quirks);
  const onError = () => {};
  if (wires.length === 0) return serveHttp(http, { port, interface: address, onError });
  return behindWires(await serveHttp(http, { onError }), wires, { port, host: address });
}
