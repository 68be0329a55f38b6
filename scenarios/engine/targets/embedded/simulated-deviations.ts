/** What the harness is told of deviations of the simulator: data, how they are drawn, and the sequence that shows one. */
export {
  attributesIn,
  type Deviation,
  drawDeviations,
  drawVariations,
  operatorOf,
  rowOf,
  type Variation,
  type Witness,
  witnessOf,
  wordsFor,
  wordsForVariations,
} from '../../../../sim/index.ts';
