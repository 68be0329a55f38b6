/** Which forms of addresses lead to the CSE base. */
import { pathSegment } from '../engine/messages/encode.ts';
import type { FeatureId } from '../statement/features.ts';
import type { Asker, Seen } from './asker.ts';
import { featureFinding } from './feature-finding.ts';
import type { Base } from './find-base.ts';
import type { FeatureFinding, Finding, Found } from './finding.ts';
import type { Identity } from './identity.ts';

export interface Addresses {
  readonly findings: readonly Finding[];
  /** Whether the base answers below the URL itself, and not only behind the SP-relative start. */
  readonly structured: boolean;
  /** Where it was not told, and an absolute address with the supposed one works. */
  readonly spId?: string;
}

export async function findAddresses(
  asker: Asker,
  base: Base,
  identity: Identity,
  supposedSp: string,
): Promise<Addresses> {
  const { cseId } = identity;
  const spId = identity.spId ?? supposedSp;
  const name = pathSegment(base.name);
  const structured = base.prefix === '' ? undefined : await asker.ask({ path: `/${name}` });
  const identifier = await byIdentifier(asker, base);
  const relative = cseId && (await asker.ask({ path: `/~/${pathSegment(cseId)}/${name}` }));
  const absolute = cseId && (await asker.ask({ path: `/_/${pathSegment(spId)}/${pathSegment(cseId)}/${name}` }));
  const shortcut = await asker.ask({ path: `${base.prefix}/-` });
  const guessed = identity.spId === undefined && absolute && leads(absolute) === 'yes';
  const other = guessed ? await asker.ask({ path: `/_/cselab.invalid/${pathSegment(cseId)}/${name}` }) : undefined;
  const sp = other?.answered && !other.success ? spId : undefined;
  return {
    findings: [
      { ...asAddress('structured', 'structured addresses', structured ?? base.seen), topic: 'addresses' },
      asAddress('shortcut', '/- for the CSE base', shortcut),
      identifier,
      form('PICS_SP_RELATIVE_RESOURCE_ID_FORMAT', relative),
      form('PICS_ABSOLUTE_RESOURCE_ID_FORMAT', absolute),
      ...(sp === undefined || absolute === undefined ? [] : [spFinding(sp, absolute as Seen, other as Seen)]),
    ],
    structured: structured === undefined || leads(structured) === 'yes',
    ...(sp !== undefined && { spId: sp }),
  };
}

async function byIdentifier(asker: Asker, { prefix, name, attributes }: Base): Promise<FeatureFinding> {
  const id = 'PICS_UNSTRUCTURED_CSE_RELATIVE_RESOURCE_ID_FORMAT';
  const { ri } = attributes;
  const short = typeof ri === 'string' ? /^(?:\/[^/]+\/)?\/?([^/\s?#\p{Cc}]{1,200})$/u.exec(ri)?.[1] : undefined;
  if (short === undefined)
    return featureFinding(id, 'unknown', 'ri of its CSE base is absent, or none that can be a path');
  if (short === name) return featureFinding(id, 'unknown', 'ri and rn of its CSE base are the same');
  const seen = await asker.ask({ path: `${prefix}/${pathSegment(short)}` });
  return featureFinding(id, leads(seen), seen.evidence);
}

function form(id: FeatureId, seen: Seen | '' | undefined): FeatureFinding {
  return seen
    ? featureFinding(id, leads(seen), seen.evidence)
    : featureFinding(id, 'unknown', 'its CSE-ID is not known');
}

function asAddress(id: string, name: string, seen: Seen): Finding {
  return { topic: 'addresses', id, name, found: leads(seen), evidence: seen.evidence };
}

/** Whether the address leads to the CSE base. */
function leads(seen: Seen): Found {
  if (!seen.answered) return 'unknown';
  return seen.success && seen.view.root === 'm2m:cb' ? 'yes' : 'no';
}

function spFinding(spId: string, own: Seen, other: Seen): Finding {
  const evidence = `${own.evidence}; ${other.evidence}`;
  return { topic: 'identity', id: 'sp id', name: 'SP-ID', found: 'yes', value: spId, evidence };
}
