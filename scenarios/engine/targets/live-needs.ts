import type { Need } from '../grammar/vocabulary.ts';
import type { Installation } from './installation.ts';
import { type PreparedUrl, sendsCertificate } from './url-choice.ts';

/** The needs that a foreign target meets, according to its user. */
export function needsOf({ choice, description, backend, own, certificates, route }: PreparedUrl): Set<Need> {
  const secure = description.url.startsWith('https:');
  const { requireCert } = choice.tls ?? {};
  const { dialect = 'documented', admin, accessControl = dialect === 'onem2m' } = choice;
  const isFree =
    requireCert !== true && (!sendsCertificate(description.url) || requireCert === false || own === undefined);
  const speaksFor = (anybody: boolean) => anybody && choice.originator === undefined;
  const all: Readonly<Record<Need, boolean>> = {
    'plain HTTP': !secure && route === undefined,
    https: secure,
    'certificate optional': secure && requireCert === false,
    'certificate required': secure && requireCert === true,
    backend: backend !== undefined,
    'simulated backend': choice.asBackend !== undefined,
    'registration label': choice.asBackend?.label !== undefined,
    'any originator': speaksFor(isFree || (route === undefined && certificates.issue !== undefined)),
    'no originator': speaksFor(isFree),
    notifications:
      route !== undefined || inboxHostOf(choice, description) !== undefined || allowsMoreAes({ ...choice, dialect }),
    clock: true,
    'access control': accessControl,
    admin: admin !== undefined,
  };
  return new Set((Object.keys(all) as Need[]).filter((need) => all[need]));
}

/** Whether further application entities, with polling channels of their own, may register beside those of a scenario. */
export function allowsMoreAes({ dialect, originator }: Pick<Installation, 'dialect' | 'originator'>): boolean {
  return dialect === 'onem2m' && originator === undefined;
}

/** The host under which the target reaches the harness: the user's choice, or this machine if the target runs here as well. */
export function inboxHostOf(
  { inboxHost, reachesHarness }: PreparedUrl['choice'],
  { url }: PreparedUrl['description'],
): { readonly host?: string } | undefined {
  if (reachesHarness === false) return undefined;
  if (inboxHost !== undefined) return { host: inboxHost === 'localhost' ? '127.0.0.1' : inboxHost };
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname) ? {} : undefined;
}

const overHttps = 'needs a target over HTTPS; this one speaks plain HTTP. Give --url https://…';

/** What is missing, and what to do about it. */
export function lackingOf({ choice, description, route }: PreparedUrl): (need: Need) => string {
  const secure = description.url.startsWith('https:');
  const issuing =
    choice.dialect === 'onem2m' ? ', unless --certs has the private key of the authority that issues others' : '';
  const sentences: Readonly<Record<Need, string>> = {
    'plain HTTP': `needs a target over plain HTTP; this one ${route === undefined ? 'speaks HTTPS' : `is reached over ${route.wire}`}`,
    https: overHttps,
    'certificate optional': secure
      ? policy(choice.tls?.requireCert, 'lets a client leave its certificate out')
      : overHttps,
    'certificate required': secure ? policy(choice.tls?.requireCert, 'requires a client certificate') : overHttps,
    backend: 'needs the backend of the gateway as well. Give --backend-url URL',
    'simulated backend':
      'needs a gateway that registers at this harness. Give --as-backend PORT, and enter that as its remote CSE',
    'registration label':
      'needs a gateway that registers at this harness with a known label. Give --as-backend-label LABEL, one of its configuration',
    'any originator':
      choice.originator === undefined
        ? `needs requests with any originator; with a client certificate all of them carry that of the certificate${issuing}`
        : 'needs requests with any originator; --originator says which one all of them carry',
    'no originator': 'needs requests without an originator, and a target that demands no client certificate of them',
    notifications:
      choice.reachesHarness === false
        ? 'needs a target that can send to this harness; this one cannot'
        : 'needs a target that can send to this harness. Give --inbox-host HOST, the name by which it finds it',
    clock: 'needs time that can pass',
    'access control':
      choice.accessControl === false
        ? 'needs a target that looks at access control policies; this one does not'
        : 'needs a target that looks at access control policies; whether this one does is not known. Say --access-control',
    admin: 'needs the originator of an administrator. Give --admin ORIGINATOR',
  };
  return (need) => sentences[need];
}

function policy(known: boolean | undefined, feature: string): string {
  return known === undefined
    ? `needs a target that ${feature}; whether this one does is not known. Say --require-cert or --no-require-cert`
    : `needs a target that ${feature}; this one does not`;
}
