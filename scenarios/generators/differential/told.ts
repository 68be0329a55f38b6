import type { Requirement } from '../../engine/files/catalogue.ts';
import { titleOf } from '../../engine/running/step-title.ts';
import type { Confirmed } from '../counterexample/confirm.ts';
import { counterexampleText } from '../counterexample/text.ts';
import type { Expected } from '../model/expected.ts';
import type { Operation } from '../operations/operation.ts';
import type { Difference } from './difference.ts';
import type { Shown } from './paired-run.ts';
import { partsOf } from './parted.ts';
import { rowsOf } from './rows.ts';
import { decidedSteps, openSteps, type StepsOptions } from './steps.ts';

export interface TellOptions extends StepsOptions {
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly seed: number;
  readonly path: string;
  /** Operations before shrinking, and after it. */
  readonly found: number;
  readonly left: readonly Operation[];
  readonly attempts: number;
  readonly smallest: boolean;
}

/** A difference as it is told, with a scenario for what a requirement decides. */
export async function told(shown: Shown, options: TellOptions): Promise<Difference> {
  const { parted, pair } = shown;
  const { requirements, path, found, left, attempts, smallest } = options;
  const { expected } = parted;
  const drawn = expected === undefined ? await openSteps(shown, options) : await decidedSteps(expected, shown, options);
  const requirement = parted.requirement === undefined ? undefined : requirements.get(parted.requirement);
  const scenario = expected && requirement && scenarioText(drawn, shown, { ...options, requirement });
  const parts = new Set(expected === undefined ? [parted.part] : [parted.part, ...differingOf(expected, shown)]);
  return {
    signature: parted.signature,
    right: parted.right,
    ...(requirement && { requirement: { id: requirement.id, says: requirement.says, source: requirement.source } }),
    part: parted.part,
    about: aboutText(shown),
    compared: parted.compared,
    path,
    operations: { found, left },
    steps: drawn.scenario.steps.map((step) => titleOf(step, new Map())),
    rows: rowsOf(pair, parts),
    curl: { A: pair.A.exchange.curl, B: pair.B.exchange.curl },
    after: shown.after,
    ...(scenario !== undefined && { scenario, confirmed: drawn.failed !== undefined }),
    attempts,
    smallest,
  };
}

/** Such as `create container`. */
export function aboutText({ pair }: Shown): string {
  const { operation, kind, form } = pair.A.attempt.about;
  const by = form === undefined || form === 'structured' ? '' : `, ${form}`;
  return `${operation}${kind === undefined ? '' : ` ${kind}`}${by}`;
}

/** Those of the parts that decide which are not the same. */
function differingOf(expected: Expected, { pair: { A, B } }: Shown): string[] {
  return partsOf(expected).filter((part) => A.canonical.get(part) !== B.canonical.get(part));
}

function scenarioText(
  { scenario, failed }: Confirmed,
  { parted: { compared, right } }: Shown,
  { seed, path, requirement }: Pick<TellOptions, 'seed' | 'path'> & { readonly requirement: Requirement },
): string {
  const actual = failed?.actual ?? (right === 'A' ? compared.B : compared.A);
  return counterexampleText(scenario, { requirement, seed, path, actual, command: 'cselab diff' });
}
