import { ownValue } from '../../basics/own-value.ts';
import type { LoadedStep } from '../../files/load.ts';
import { actorOf } from '../../files/scenario-entries.ts';
import type { Actor } from '../../grammar/grammar.ts';
import type { SendingStep } from '../../grammar/grammar-step.ts';
import { administrator, originatorName } from '../../grammar/names.ts';
import type { CertificateName } from '../../grammar/vocabulary.ts';
import { looksAtTls } from '../../grammar/vocabulary.ts';
import { interpolateToText, MissingValue, type NamedValue, type Names } from '../../messages/interpolate.ts';
import type { ClientCertificate, Target, Way } from '../../messages/target.ts';
import type { Installation } from '../../targets/installation.ts';

/** The sender of a step's request, its target, and the way. */
export interface RequestSender {
  readonly target: Target;
  readonly on: 'gateway' | 'backend';
  readonly way: Way;
  readonly originator: string | undefined;
  /** Whether the request is ordinary, so that a TLS failure means a lost target. */
  readonly ordinary: boolean;
  /** Whether the originator is that of the client's own certificate or shared by all: only one AE can register with it. */
  readonly shared: boolean;
}

export type Missing = { readonly missing: string };

export interface SenderContext {
  readonly installation: Installation;
  readonly actors: Readonly<Record<string, Actor>>;
  readonly names: Names;
}

/** How to send a step; or what the installation lacks. Throws MissingValue for an originator without a value. */
export async function senderOf(
  { step, checks }: Pick<LoadedStep, 'checks'> & { readonly step: SendingStep },
  context: SenderContext,
): Promise<RequestSender | Missing> {
  const { installation, actors } = context;
  const { on = 'gateway', over } = step;
  const target = installation[on];
  if (target === undefined) return { missing: 'needs the backend of the gateway as well' };
  const name = actorOf(step, actors, installation.dialect);
  if (name === administrator && installation.admin === undefined)
    return { missing: 'needs the originator of an administrator' };
  const actor = name === undefined ? undefined : ownValue(actors, name);
  const requested = step.certificate ?? actor?.certificate;
  const identity = await identityOf(name, requested, context, { target, sent: originatorIn(step, context.names) });
  if ('missing' in identity) return identity;
  const { certificate, originator } = identity;
  const alone = isToBeRefused(requested) || checks.some(({ check }) => looksAtTls(check));
  const isOwn = requested === 'own' && originator !== undefined && certificate?.uris.includes(originator) === true;
  return {
    ...{ target, on, originator },
    way: { ...(certificate && { certificate }), ...(over && { over }), ...(alone && { alone }) },
    ordinary: requested === undefined && over === undefined && !alone,
    shared: requested === undefined ? installation.originator !== undefined : isOwn,
  };
}

type SenderIdentity = Pick<RequestSender, 'originator'> & { readonly certificate: ClientCertificate | undefined };

/** Without a certificate of its own, an actor presents the usual one of the installation, or one issued for it if possible. */
async function identityOf(
  name: string | undefined,
  requested: CertificateName | 'none' | undefined,
  context: SenderContext,
  { target, sent: written }: { readonly target: Target; readonly sent?: string | null | undefined },
): Promise<SenderIdentity | Missing> {
  const { certificates, usualCertificate, originator: shared } = context.installation;
  const { issue } = certificates;
  if (requested === undefined && shared === undefined && usualCertificate !== undefined && issue !== undefined) {
    const originator = originatorOf(name, requested, undefined, context);
    const sent = written === undefined ? originator : written;
    const certificate = await (sent
      ? issue(absoluteForm(sent, target.description))
      : certificates.find(usualCertificate));
    return 'missing' in certificate ? certificate : { originator, certificate };
  }
  const presented = requested ?? usualCertificate;
  const found = presented === undefined || presented === 'none' ? undefined : await certificates.find(presented);
  if (found !== undefined && 'missing' in found) return found;
  return { originator: originatorOf(name, requested, found, context), certificate: found };
}

/** The originator in the headers of a step: null where it is omitted; undefined where they do not mention it. */
function originatorIn(step: SendingStep, names: Names): string | null | undefined {
  const headers = 'raw' in step ? ('bytes' in step.raw ? {} : step.raw.headers) : 'headers' in step ? step.headers : {};
  const [, text] = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'x-m2m-origin') ?? [];
  return typeof text === 'string' ? interpolateToText(text, names) : text;
}

/** An originator as in certificates (TS-0001 7.2): `//sp/cse/ae`, and `//sp/cse` for a CSE. */
function absoluteForm(originator: string, { spId, cseId }: Target['description']): string {
  if (originator.startsWith('//')) return originator;
  return originator.startsWith('/') ? `//${spId}${originator}` : `//${spId}/${cseId}/${originator}`;
}

const trusted: ReadonlySet<string> = new Set(['none', 'own', 'other', 'gateway', 'backend']);
const isToBeRefused = (name: string | undefined) => name !== undefined && !trusted.has(name);

/**
 * A shared originator is used by every actor that names no certificate. An actor without an originator has that of its
 * certificate.
 */
function originatorOf(
  name: string | undefined,
  requested: string | undefined,
  certificate: ClientCertificate | undefined,
  { installation, actors, names }: SenderContext,
): string | undefined {
  const actor = name === undefined ? undefined : ownValue(actors, name);
  if (name === administrator) return installation.admin;
  if (requested === undefined && installation.originator !== undefined) return installation.originator;
  if (actor?.originator !== undefined) return interpolateToText(actor.originator, names);
  const own = requested === 'own' ? installation.originator : undefined;
  const known = own ?? certificate?.uris[0];
  // In the documented dialect an application has none before its registration.
  if (known !== undefined || name === undefined || installation.dialect === 'documented') return known;
  // A unique AE-ID-Stem (TS-0001 7.2).
  return interpolateToText(`C\${${name}}`, names);
}

/** Values of `${actor.originator}`, by that name. An actor may refer to those before it. */
export async function originatorNames(context: SenderContext): Promise<Map<string, NamedValue>> {
  const found = new Map<string, NamedValue>();
  for (const [name, actor] of Object.entries(context.actors)) {
    const names = new Map([...context.names, ...found]);
    found.set(originatorName(name), await namedOriginator(name, actor, { ...context, names }));
  }
  return found;
}

/** The AE-ID that a CSE of the standard uses for its own AE, whose certificate has the absolute form (TS-0001 7.2). */
function identifierIn(originator: string, { installation }: SenderContext): string {
  const { cseId, spId } = installation.gateway.description;
  const above = `//${spId}/${cseId}/`;
  const isWritten = installation.dialect === 'onem2m' && originator === installation.originator;
  return isWritten && originator.startsWith(above) ? originator.slice(above.length) : originator;
}

async function namedOriginator(name: string, actor: Actor, context: SenderContext): Promise<NamedValue> {
  try {
    const identity = await identityOf(name, actor.certificate, context, { target: context.installation.gateway });
    if ('missing' in identity) return identity;
    const { originator: value } = identity;
    return value === undefined
      ? { missing: `the actor "${name}" sends no originator` }
      : { value: identifierIn(value, context) };
  } catch (error) {
    if (error instanceof MissingValue) return { missing: error.message };
    throw error;
  }
}
