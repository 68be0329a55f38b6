/** Whether a package is unchanged, and whether its verdicts follow from its messages. */
import type { KeyObject } from 'node:crypto';
import { wholePlan } from '../../scenarios/checking/check.ts';
import { differencesOf, type Fingerprints, fingerprintsOf } from '../../scenarios/checking/fingerprints.ts';
import { judgeMessages } from '../../scenarios/traffic/rejudge-messages.ts';
import type { RunResult } from '../../scenarios/words.ts';
import { counted } from '../facts/wording.ts';
import { isSignedBy, keyIdOf, sha256Of, statementOf } from './attestation.ts';
import {
  type EvidencePackage,
  inventoryIn,
  type ReadPackage,
  releaseIn,
  resultIn,
  subjectsIn,
} from './package-file.ts';

/** `unknown`: could not be checked. */
export interface PackageFinding {
  readonly about: 'file' | 'parts' | 'signature' | 'rules' | 'verdicts';
  readonly state: 'right' | 'wrong' | 'unknown';
  readonly says: string;
  readonly details?: readonly string[];
}

export interface Verification {
  readonly findings: readonly PackageFinding[];
  /** Absent if the parts do not form a run. */
  readonly result?: RunResult;
}

type Read = ReadPackage | { readonly damage: string };

export interface VerifyOptions {
  /** The public key of the expected signer. */
  readonly key?: KeyObject | undefined;
  /** A team's own rule files of the run. */
  readonly scenarios?: readonly string[];
  readonly ownRules?: readonly string[];
}

export function verifyPackage(read: Read, options: VerifyOptions): Verification {
  const file = finding('file', read.damage, 'as it was written');
  if (!('evidence' in read)) return { findings: [file] };
  const { parts } = read.evidence;
  const result = resultIn(parts);
  const inventory = inventoryIn(parts);
  const findings = [file, partsFinding(read.evidence, result), signatureFinding(read.evidence, options.key)];
  if (result === undefined || inventory === undefined) return { findings };
  const release = releaseIn(parts);
  const { scenarios: own = [], ownRules = [] } = options;
  const asksPeople = result.scenarios.some(({ id }) => id.startsWith('manual/'));
  const ids = [...own, ...(asksPeople ? ['manual'] : [])];
  const plan = wholePlan({ dialect: result.dialect, ids, ownRules, ...(release !== undefined && { release }) });
  const rules = rulesFinding(inventory, fingerprintsOf(plan, plan));
  const verdicts = verdictsFinding(result, judgeMessages(result, plan), rules.state === 'right');
  return { findings: [...findings, rules, verdicts], result };
}

function finding(about: PackageFinding['about'], wrong: string | undefined, right: string): PackageFinding {
  return wrong === undefined ? { about, state: 'right', says: right } : { about, state: 'wrong', says: wrong };
}

/** Every part matches the statement, and the statement follows from the verdicts. */
function partsFinding({ attestation, parts }: EvidencePackage, result: RunResult | undefined): PackageFinding {
  const payload = Buffer.from(attestation.payload, 'base64').toString('utf8');
  const digests = new Map(subjectsIn(attestation));
  const names = [...new Set([...digests.keys(), ...Object.keys(parts)])];
  const texts = new Map(Object.entries(parts));
  const changed = names.filter((name) => {
    const text = texts.get(name);
    return text === undefined || sha256Of(text) !== digests.get(name);
  });
  if (changed.length > 0)
    return { about: 'parts', state: 'wrong', says: `changed since the package was written: ${changed.join(', ')}` };
  const isConsistent = result !== undefined && JSON.stringify(statementOf(parts, result)) === payload;
  return finding(
    'parts',
    isConsistent ? undefined : 'the manifest says something else than verdicts.json',
    `all ${names.length} are as the manifest has them, by SHA-256`,
  );
}

/** Enough of a hash to distinguish keys. */
const shortKey = (keyid: string) => `${keyid.slice(0, 'sha256:'.length + 16)}…`;

function signatureFinding({ attestation }: EvidencePackage, key: KeyObject | undefined): PackageFinding {
  const about = 'signature' as const;
  const signers = attestation.signatures.map(({ keyid }) => shortKey(keyid)).join(', ');
  if (key === undefined && signers === '')
    return { about, state: 'right', says: 'there is none: whoever has the file can have written all of it' };
  if (key === undefined)
    return { about, state: 'unknown', says: `by ${signers}; not checked: give the public key by --key` };
  const own = shortKey(keyIdOf(key));
  if (signers === '') return { about, state: 'wrong', says: `there is none, and one by ${own} is required` };
  const wrong = isSignedBy(attestation, key) ? undefined : `none by ${own}; it names ${signers}`;
  return finding(about, wrong, `by ${own}`);
}

/** Other rules than those of the run prove nothing wrong. */
function rulesFinding(of: Fingerprints, own: Fingerprints): PackageFinding {
  const pairs = [differencesOf(of.scenarios, own.scenarios), differencesOf(of.requirements, own.requirements)];
  const ids = pairs.flatMap(({ gone, changed }) => [...gone, ...changed]);
  if (ids.length === 0 && of.cselab === own.cselab)
    return { about: 'rules', state: 'right', says: `those of the run, cselab ${of.cselab}` };
  const who = `cselab ${of.cselab} checked the run, this is ${own.cselab}`;
  const says =
    ids.length === 0 ? who : `${who}; ${counted(ids.length, 'scenario or requirement')} is not the same here`;
  return { about: 'rules', state: 'unknown', says, details: shortened(ids) };
}

/** How many are named. */
const most = 20;

function shortened(lines: readonly string[]): string[] {
  return [...lines.slice(0, most), ...(lines.length > most ? [`and ${lines.length - most} more`] : [])];
}

function verdictsFinding(was: RunResult, { result, again, kept }: ReturnType<typeof judgeMessages>, isSame: boolean) {
  const about = 'verdicts' as const;
  const now = new Map(result.requirements.map(({ id, verdict }) => [id, verdict]));
  const other = was.requirements.filter(({ id, verdict }) => now.get(id) !== verdict);
  const lines = other.map(({ id, verdict }) => `${id}: ${verdict}, and by its messages ${now.get(id)}`);
  const exit =
    result.exit.code === was.exit.code ? [] : [`exit code: ${was.exit.code}, and by its verdicts ${result.exit.code}`];
  const details = [...shortened(lines), ...exit];
  const left = kept === 0 ? '' : `; ${counted(kept, 'check')} of what is not kept whole, or came by itself, stay`;
  const scope = `${counted(was.requirements.length, 'requirement')} checked again by ${counted(was.summary.requests, 'request')} and ${counted(again, 'check')}${left}`;
  if (details.length === 0) return { about, state: 'right', says: `the same: ${scope}` } as const;
  return {
    about,
    state: isSame ? 'wrong' : 'unknown',
    says: `${counted(other.length, 'verdict')} differ: ${scope}`,
    details,
  } as const;
}
