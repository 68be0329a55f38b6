/** Which release requests are to name, by what the CSE base lists and by what is accepted. */
import type { Asker } from './asker.ts';
import type { Base } from './find-base.ts';
import { type Finding, quoted } from './finding.ts';
import { releaseFor, shown } from './identity.ts';

export interface Release {
  readonly findings: readonly Finding[];
  /** Undefined where nothing tells it. */
  readonly release?: string;
}

interface Known {
  /** Those of `srv`, the oldest first. */
  readonly listed: readonly string[];
  /** What the target file of its product says. */
  readonly usual: string | undefined;
}

/** The usual release of its product where it lists that, or lists nothing; else the newest that it lists and takes. */
export async function findRelease(asker: Asker, base: Base, { listed, usual }: Known): Promise<Release> {
  const asked = asker.release;
  const { finding, refusesUnknown } = await findUnknown(asker, base);
  const fits = usual !== undefined && (listed.length === 0 || listed.includes(usual));
  const wanted = fits ? usual : releaseFor(listed);
  const findings = [echoOf(base), finding];
  const accepted = `${base.seen.evidence}, asked with X-M2M-RVI: ${asked}`;
  const srv = `srv of its CSE base is ${shown(base.attributes.srv)}`;
  const found = (release: string, evidence: string): Release => {
    const named = { topic: 'identity', id: 'release', name: 'release of requests', found: 'yes' } as const;
    return { findings: [...findings, { ...named, value: release, evidence }], release };
  };
  if (wanted === undefined) return refusesUnknown ? found(asked, `${accepted}; ${finding.evidence}`) : { findings };
  if (wanted === asked) return found(asked, `${srv}; ${accepted}`);
  const seen = await asker.ask({ path: base.path, headers: { 'X-M2M-RVI': wanted } });
  if (!seen.success) return found(asked, `${srv}; ${accepted}; ${seen.evidence}, asked with X-M2M-RVI: ${wanted}`);
  return found(wanted, `${srv}; ${seen.evidence}, asked with X-M2M-RVI: ${wanted}`);
}

/** What a release is that does not exist. */
async function findUnknown(asker: Asker, { path }: Base): Promise<{ finding: Finding; refusesUnknown: boolean }> {
  const seen = await asker.ask({ path, headers: { 'X-M2M-RVI': '99' } });
  const found = seen.answered ? (seen.success ? 'no' : 'yes') : 'unknown';
  const finding: Finding = {
    topic: 'speech',
    id: 'unknown release',
    name: 'refuses unknown releases',
    found,
    evidence: `${seen.evidence}, asked with X-M2M-RVI: 99`,
  };
  return { finding, refusesUnknown: found === 'yes' };
}

/** Whether the answer names the release that was asked with. */
function echoOf({ seen }: Base): Finding {
  const echoed = seen.view.headers.get('x-m2m-rvi');
  return {
    topic: 'speech',
    id: 'release echo',
    name: 'answers name the release',
    found: echoed === undefined ? 'no' : 'yes',
    ...(echoed !== undefined && { value: quoted(echoed) }),
    evidence: `${seen.evidence}, with ${echoed === undefined ? 'no X-M2M-RVI' : `X-M2M-RVI: ${quoted(echoed)}`}`,
  };
}
