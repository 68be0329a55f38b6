/** Tests which forms of addresses lead to the CSE base. */

import { pathsOfIdentifier } from '../engine/messages/address.ts';
import { defaultOriginator } from '../engine/messages/usual-headers.ts';
import { pathSegment } from '../engine/messages/wire.ts';
import type { FeatureId } from '../ics/features.ts';
import type { Asker, ProbeAnswer } from './asker.ts';
import { type Base, usualOriginators } from './find-base.ts';
import type { FeatureFinding, Finding, Found, FoundTarget, ProbeFindings } from './finding.ts';
import { featureFinding, mayFinding, valueFinding } from './finding.ts';
import { absolutesIn } from './identity.ts';

/** With an SP-ID if it was unknown, and a guessed one works in an absolute address. */
interface Addresses extends ProbeFindings<'spId'> {
  /** Whether the base answers directly below the URL, and not only in SP-relative form. */
  readonly structured: boolean;
}

/** Most SP-IDs to guess. */
const mostGuesses = 3;

/** `supposed`: SP-IDs to try if the CSE does not report its own. */
export async function findAddresses(
  asker: Asker,
  base: Base,
  { cseId, spId: knownSpId }: Pick<FoundTarget, 'cseId' | 'spId'>,
  supposed: readonly string[],
): Promise<Addresses> {
  const name = pathSegment(base.name);
  const structured = base.prefix === '' ? undefined : await asker.ask({ path: `/${name}` });
  const identifier = await byIdentifier(asker, base);
  const relative = cseId && (await asker.ask({ path: `/~/${pathSegment(cseId)}/${name}` }));
  const guesses = knownSpId === undefined ? [...(await otherProviders(asker, base)), ...supposed] : [knownSpId];
  const absoluteAt = (spId: string) => `/_/${pathSegment(spId)}/${pathSegment(cseId ?? '')}/${name}`;
  const absolute = cseId ? await findAbsolute(asker, absoluteAt, guesses, knownSpId !== undefined) : undefined;
  return {
    findings: [
      asAddress('structured', 'structured addresses', structured ?? base.answer),
      asAddress('shortcut', '/- for the CSE base', await asker.ask({ path: `${base.prefix}/-` })),
      identifier,
      form('PICS_SP_RELATIVE_RESOURCE_ID_FORMAT', relative),
      ...(absolute?.findings ?? [form(absoluteFormat, undefined)]),
    ],
    structured: structured === undefined || leads(structured) === 'yes',
    ...(absolute?.spId !== undefined && { spId: absolute.spId }),
  };
}

const absoluteFormat = 'PICS_ABSOLUTE_RESOURCE_ID_FORMAT';

/** If no provider works, it may be another one, and the form stays unknown. `known`: the CSE itself reported the provider. */
async function findAbsolute(
  asker: Asker,
  pathAt: (spId: string) => string,
  providers: readonly string[],
  known: boolean,
): Promise<ProbeFindings<'spId'>> {
  const ask = (spId: string) => asker.ask({ path: pathAt(spId) });
  const tried: ProbeAnswer[] = [];
  for (const spId of [...new Set(providers)].slice(0, mostGuesses)) {
    const answer = await ask(spId);
    tried.push(answer);
    if (known || leads(answer) !== 'yes') continue;
    const other = await ask('cselab.invalid');
    const only = other.answered && !other.success;
    const sp = only ? [valueFinding('identity', 'sp id', 'SP-ID', spId, `${answer.evidence}; ${other.evidence}`)] : [];
    return { findings: [form(absoluteFormat, answer), ...sp], ...(only && { spId }) };
  }
  const [first] = tried;
  if (known && first !== undefined) return { findings: [form(absoluteFormat, first)] };
  const evidence = ['its SP-ID is not known', ...tried.map((answer) => answer.evidence)].join('; ');
  return { findings: [featureFinding(absoluteFormat, 'unknown', evidence)] };
}

/** Providers in identifiers of the CSE base, or of a registered CSE; most have the same. */
async function otherProviders(asker: Asker, { path, attributes }: Base): Promise<string[]> {
  const { view } = await asker.ask({ path, query: { fu: 1, ty: 16, lim: 1 } });
  const [first] = view.found ?? [];
  const isPath =
    typeof first === 'string' && /^\/?[\w.-]+(\/[\w.-]+)+$/.test(first) && !first.split('/').includes('..');
  const remote = isPath ? await asker.ask({ path: pathsOfIdentifier(first)[0] ?? '' }) : undefined;
  return absolutesIn([attributes, remote?.view.attributes]).map(({ spId }) => spId);
}

async function byIdentifier(asker: Asker, { prefix, name, attributes }: Base): Promise<FeatureFinding> {
  const id = 'PICS_UNSTRUCTURED_CSE_RELATIVE_RESOURCE_ID_FORMAT';
  const { ri } = attributes;
  const short = typeof ri === 'string' ? /^(?:\/[^/]+\/)?\/?([^/\s?#\p{Cc}]{1,200})$/u.exec(ri)?.[1] : undefined;
  if (short === undefined)
    return featureFinding(id, 'unknown', 'ri of its CSE base is absent, or none that can be a path');
  if (short === name) return featureFinding(id, 'unknown', 'ri and rn of its CSE base are the same');
  return form(id, await asker.ask({ path: `${prefix}/${pathSegment(short)}` }));
}

/** A form that does not work is not denied: a run checks it. */
function form(id: FeatureId, answer: ProbeAnswer | '' | undefined): FeatureFinding {
  if (!answer) return featureFinding(id, 'unknown', 'its CSE-ID is not known');
  return featureFinding(id, leads(answer) === 'yes' ? 'yes' : 'unknown', answer.evidence);
}

function asAddress(id: string, name: string, answer: ProbeAnswer): Finding {
  return { topic: 'addresses', id, name, found: leads(answer), evidence: answer.evidence };
}

function leads(answer: ProbeAnswer): Found {
  if (!answer.answered) return 'unknown';
  return answer.success && answer.view.root === 'm2m:cb' ? 'yes' : 'no';
}

// Originators that may read the CSE base.

/** `fixed`: the only originator that may be used. */
export async function findOriginators(
  asker: Asker,
  base: Base,
  fixed: string | undefined,
): Promise<ProbeFindings<'admin' | 'accessControl'>> {
  const used = asker.originator;
  const known = used === undefined ? [] : [mayRead(used, base.answer)];
  if (fixed !== undefined) return { findings: known };
  const findings: Finding[] = known;
  const ask = async (originator: string) => {
    const answer = await asker.ask({ path: base.path, originator });
    findings.push(mayRead(originator, answer));
    return answer;
  };
  const unknown = used === defaultOriginator ? base.answer : await ask(defaultOriginator);
  if (unknown.success) return { findings };
  const others = usualOriginators.filter((one) => one !== used && one !== defaultOriginator);
  for (const one of others) if (findings.length < 5) await ask(one);
  const admitted = findings.find(({ found }) => found === 'yes')?.value;
  const refused = unknown.view.status === 403 && admitted !== undefined;
  return { findings, ...(refused && { admin: admitted, accessControl: true }) };
}

function mayRead(named: string, answer: ProbeAnswer): Finding {
  return mayFinding(named, 'reads', 'read the CSE base', answer);
}
