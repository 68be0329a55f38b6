/** What the harness is told of deviations of the simulator: data, how they are drawn, and the sequence that shows one. */
export {
  attributesIn,
  type Deviation,
  drawDeviations,
  operatorOf,
  type Witness,
  witnessOf,
  wordsFor,
} from '../../../../sim/index.ts';
