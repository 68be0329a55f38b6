import { Lanes } from './lanes.ts';
import { Pace, type Rate } from './pace.ts';

/** When and over how many connections requests may go out; absent: nobody asked for a limit. */
export interface Politeness {
  readonly pace?: Pace;
  readonly lanes?: Lanes;
}

/** What a target was promised. All that is sent to it is to share this. */
export function politenessOf({
  rate,
  connections,
}: {
  readonly rate?: Rate;
  readonly connections?: number;
}): Politeness {
  return { ...(rate && { pace: new Pace(rate) }), ...(connections !== undefined && { lanes: new Lanes(connections) }) };
}
