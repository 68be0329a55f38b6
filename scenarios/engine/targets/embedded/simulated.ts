/**
 * What the harness is told of the simulator: deviations as data, never what they do, only what they break, how they are drawn, and the
 * sequence that shows one; and the products that it imitates, with a server to try them.
 */
import { type Deviation, writtenDeviations } from '../../../../sim/index.ts';

export {
  attributesIn,
  clausesOf,
  type DrawnDeviation,
  drawDeviations,
  drawVariations,
  isForListener,
  operatorOf,
  type Product,
  productNames,
  productOf,
  productPath,
  rowOf,
  serveProduct,
  type Variation,
  type Witness,
  type World,
  witnessOf,
  wordsFor,
  wordsForVariations,
} from '../../../../sim/index.ts';

export type FaultFacts = Deviation;

/** Everything that the simulator can do wrong on purpose. */
export const simulatedFaults: () => readonly FaultFacts[] = writtenDeviations;
