/** Which originators may read the CSE base. */
import { stranger } from '../engine/messages/usual-headers.ts';
import type { Asker, Seen } from './asker.ts';
import { type Base, usualOriginators } from './find-base.ts';
import { type Finding, mayFinding } from './finding.ts';

export interface Originators {
  readonly findings: readonly Finding[];
  /** One that may read where a stranger may not. */
  readonly admin?: string;
  readonly accessControl?: boolean;
}

/** `fixed`: the only one that the user wants to be used. */
export async function findOriginators(asker: Asker, base: Base, fixed: string | undefined): Promise<Originators> {
  const used = asker.originator;
  const known = used === undefined ? [] : [mayRead(used, base.seen)];
  if (fixed !== undefined) return { findings: known };
  const findings: Finding[] = known;
  const ask = async (originator: string) => {
    const seen = await asker.ask({ path: base.path, originator });
    findings.push(mayRead(originator, seen));
    return seen;
  };
  const unknown = used === stranger ? base.seen : await ask(stranger);
  if (unknown.success) return { findings };
  for (const one of usualOriginators) if (one !== used && one !== stranger && findings.length < 5) await ask(one);
  const admitted = findings.find(({ found }) => found === 'yes')?.value;
  const refused = unknown.view.status === 403 && admitted !== undefined;
  return { findings, ...(refused && { admin: admitted, accessControl: true }) };
}

function mayRead(named: string, seen: Seen): Finding {
  return mayFinding(named, 'reads', 'read the CSE base', seen);
}
