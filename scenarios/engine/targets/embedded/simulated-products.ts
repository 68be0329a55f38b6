/** What the harness is told of products that the simulator imitates: data, and a server to try them. */
export { type Product, productNames, productOf, productPath, serveProduct } from '../../../../sim/index.ts';
