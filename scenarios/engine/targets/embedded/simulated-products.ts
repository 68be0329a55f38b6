/** The simulator's products, for the harness. */
export { productNames, productOf, productPath } from '../../../../sim/products/product-file.ts';
