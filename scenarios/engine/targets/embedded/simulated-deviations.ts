/** What the harness is told of deviations of the simulator: data, how they are drawn, and the sequence that shows one. */
export {
  attributesIn,
  clausesOf,
  type DrawnDeviation,
  drawDeviations,
  drawVariations,
  isForListener,
  operatorOf,
  rowOf,
  type Variation,
  type Witness,
  type World,
  witnessOf,
  wordsFor,
  wordsForVariations,
} from '../../../../sim/index.ts';
