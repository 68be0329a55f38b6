import { type Address, addressOfFound, pathOf } from '../engine/messages/address.ts';
import type { Target, Way } from '../engine/messages/target.ts';
import type { Speech } from '../engine/messages/usual-headers.ts';
import { read } from './clean-up-requests.ts';
import type { Holdings, Ownership } from './holdings.ts';
import type { LedgerRecorder } from './recorder.ts';
import type { Rules } from './rules.ts';

/** Reads what a claim leads to, and records whether it belongs to the run. */
export type Proves = (claim: Ownership, target: Target, way: Way) => Promise<void>;

export interface ProofOptions {
  readonly holdings: Holdings;
  readonly rules: Rules;
  readonly recorder: LedgerRecorder;
  readonly speech: Speech;
  readonly admin?: string | undefined;
}

type Attributes = Readonly<Record<string, unknown>>;

/** Most claims that rest on each other, parent by parent: deeper ones may go in circles. */
const deepest = 8;

/** A reader of claims: what an answer says is believed once a read of that address shows the run's own label, name and parent. */
export function provingBy({ holdings, rules, recorder, speech, admin }: ProofOptions): Proves {
  const readsAt = async ({ holding: { line } }: Ownership, path: string, target: Target, way: Way) => {
    if (rules.objection({ method: 'GET', target: path }, target.description) !== undefined) return undefined;
    const originators = admin === undefined ? [line.originator] : [line.originator, admin];
    return (await read(path, { target, way, speech, originators })).view;
  };
  const isOwn = (attributes: Attributes, above: Address | undefined, target: Target) =>
    (above !== undefined && !holdings.isBase(above) && holdings.holds(above)) ||
    bearsLabel(attributes, holdings, target);
  const prove = async (claim: Ownership, target: Target, way: Way, depth = 0): Promise<void> => {
    if (claim.refuted || holdings.holds(claim.address) || depth === deepest) return;
    const seen = await readsAt(claim, pathOf(claim.address, target.description), target, way);
    if (seen === undefined) return;
    const { root, attributes = {} } = seen;
    const { pi } = attributes;
    const above = typeof pi === 'string' && pi !== '' ? addressOfFound(pi, target.description) : undefined;
    const parent = above && holdings.claimAbove(above);
    if (parent !== undefined && parent.holding !== claim.holding) await prove(parent, target, way, depth + 1);
    if (isRequested(claim, root, attributes) && isOwn(attributes, above, target)) return recorder.proved(claim);
    claim.refuted = true;
    recorder.refuted(claim);
  };
  return prove;
}

/** Whether it is what was to be created; another resource than the requested one is an error on the way. */
function isRequested({ holding, address }: Ownership, root: string | undefined, { ri, rn, ty }: Attributes): boolean {
  const requested = address.segments.at(-1);
  const { name = rn } = holding.line;
  const isAsked = [ri, rn].some((one) => typeof one === 'string' && one.split('/').at(-1) === requested);
  return isAsked && root !== 'm2m:cb' && ty !== 5 && rn === name;
}

/** Attributes that only a creator sets; none that lists others. */
const labelled = ['rn', 'lbl', 'aei', 'api', 'apn', 'cr', 'org', 'rid', 'ni'];

export function bearsLabel(attributes: Attributes, holdings: Holdings, target: Target): boolean {
  const texts = labelled.flatMap((key) => [attributes[key]].flat());
  if (texts.some((one) => typeof one === 'string' && holdings.isLabelled(one))) return true;
  const { lnk } = attributes;
  return typeof lnk === 'string' && holdings.holds(addressOfFound(lnk, target.description));
}
