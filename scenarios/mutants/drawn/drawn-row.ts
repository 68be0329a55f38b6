import type { Drawn, DrawnDeviation } from '../../../sim/deviations/drawn/drawn-deviation.ts';
import { attributesIn, installedIn, isWire } from '../../../sim/deviations/drawn/operators.ts';
import type { Witness } from '../../../sim/witness/witness.ts';
import type { Detection } from '../scoring/detect.ts';
import type { DrawnRow, DrawnVerdict, Violation } from '../scoring/tables.ts';

/** What generated sequences find of deviations that no scenario detects. */
export interface DrawnExploration {
  /** Up to the first that shows a violation, or all. */
  readonly sequences: number;
  /** Absent if nothing was found. */
  readonly violation?: Violation;
  /** The requests that show it. */
  readonly steps?: readonly string[];
  /** Why something does not count, or was not tried. */
  readonly trouble?: string;
  /** Milliseconds. */
  readonly took: number;
}

/** What a worker found of what was drawn. */
export interface DrawnDetection {
  /** For a pair: the sequence that shows both together. */
  readonly witness?: Witness;
  /** What the scenarios of the dialect detected. */
  readonly detection: Detection;
  /** What generated sequences found, if the scenarios detected nothing. */
  readonly explored?: DrawnExploration;
}

/** The outcome of a detection in a row. */
type RowResult = Omit<DrawnRow, 'number' | 'drawn' | 'says' | 'witness'>;

export function rowResultOf(drawn: Drawn, { detection, explored, witness }: DrawnDetection): RowResult {
  const violations = explored?.violation === undefined ? detection.violations : [explored.violation];
  const deviations = 'deviations' in drawn ? drawn.deviations : [];
  const isIdentified = (deviation: DrawnDeviation) => violations.some((one) => isAbout(one, deviation));
  const collateral = violations.filter((one) => !deviations.some((deviation) => isAbout(one, deviation)));
  const cancelled = deviations.length > 1 && witness === undefined ? 'nothing shows the two together' : undefined;
  const reason = cancelled ?? detection.troubles[0] ?? explored?.trouble;
  const isChecked = cancelled === undefined && detection.scenarios > 0 && detection.troubles.length === 0;
  return {
    verdict: verdictOn(deviations, violations, isChecked),
    ...(violations.length > 0 && { by: explored === undefined ? 'check' : 'explore' }),
    violations,
    collateral: deviations.length === 0 ? [] : collateral.map(({ requirement }) => requirement),
    identified: deviations.filter(isIdentified).length,
    ...(explored && { explored: { sequences: explored.sequences, ...(explored.steps && { steps: explored.steps }) } }),
    ...(reason !== undefined && { reason }),
    took: detection.took + (explored?.took ?? 0),
  };
}

function verdictOn(drawn: readonly DrawnDeviation[], [first]: readonly Violation[], isChecked: boolean): DrawnVerdict {
  const isSound = drawn.length === 0;
  if (first === undefined) return isChecked ? (isSound ? 'quiet' : 'not seen') : 'not judged';
  if (isSound) return 'false alarm';
  return drawn.some((one) => isAbout(first, one)) ? 'identified' : 'seen';
}

/**
 * Whether a violation identifies the deviation: the requirement's id, expected and actual, or a reason in the answer, names an
 * attribute of the deviation; for a deviation without attributes, the id names the operation, a right, or lists of resources.
 */
export function isAbout({ requirement, expected, actual }: Violation, deviation: DrawnDeviation): boolean {
  const id = requirement.split(/[.-]/);
  const attributes = attributesIn(deviation);
  if (attributes.length === 0) return id.some((word) => exchangeOf(deviation).test(word));
  const text = [...expected, actual].join(' ');
  return attributes.some(
    (name) => id.includes(name) || new RegExp(`(attribute |answer says .*\\b)${name}(?![\\w-])`).test(text),
  );
}

const operations = {
  create: 'creat',
  retrieve: 'retriev',
  update: 'updat|chang|modif',
  delete: 'delet|remov|gone',
  notify: 'notif',
};
/** Of resources that register (TS-0001 10.2.2). */
const registrations = { ...operations, create: 'creat|regist', delete: 'delet|remov|gone|deregist' };

/** The same for deviations without a resource. */
const ofInstallations: ReadonlyMap<string, RegExp> = new Map([
  ['certificate', /^(tls|generic|cert|certificates?|originator)$/],
  ['forwarded request', /^(forwarding|relative|remote|retarget\w*|relay\w*)$/],
  ['notification', /^(notif\w*|events?|sub|subscription|points|target)$/],
  ['registration', /^(regist\w*|csr)$/],
]);

/** Beginnings of words in ids about such an exchange. */
function exchangeOf(deviation: DrawnDeviation): RegExp {
  const { does, when } = deviation;
  const { operation, type = '' } = when;
  if (isWire(installedIn(deviation)?.operator.world)) return /^(mqtt|ws|coap)$/;
  const installed = ofInstallations.get(type);
  if (installed !== undefined) return installed;
  if ('lose' in does || 'repeat' in does) return /^(ch|child|children|discovery|found|finds|list|listed|rrf|uril)$/;
  if ('trust' in does) return /^(privilege|access|right|rights|refused)$/;
  if ('stale' in does || operation === undefined) return /^(updat|chang|modif|stale)/;
  return new RegExp(`^(${(/^m2m:(ae|csr)$/.test(type) ? registrations : operations)[operation]})`);
}
