/** What the harness is told of products that the simulator imitates. */
export { productNames, productOf, productPath } from '../../../../sim/products/product-file.ts';
