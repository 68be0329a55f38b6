/**
 * What goes wrong where a CSE is installed: with certificates and connections, and with what it sends to others. As in the rest, an
 * operator stands here only where its source makes the result wrong; it is told as a row, which says what a CSE does with it.
 */
import fc from 'fast-check';
import type { DialectName } from '../../core/resource-type.ts';
import type { Row } from '../language/schema.ts';

/** Behind a TLS listener that demands a client certificate, or a gateway registered at a backend. */
export type World = 'tls' | 'pair';

type Part = Pick<Row, 'when' | 'nth' | 'does' | 'sends' | 'overlooks'>;

interface InstalledOperator {
  readonly world: World;
  /** What it is about, in place of a resource type. */
  readonly about: 'certificate' | 'forwarded request' | 'notification' | 'registration';
  /** Of both when absent. */
  readonly dialect?: DialectName;
  /** Why the result is wrong. */
  readonly wrongBy: string;
  readonly options: readonly string[];
  readonly row: (option: string) => Part;
}

type Operators = Readonly<Record<string, Omit<InstalledOperator, 'world' | 'about'>>>;

/** Methods with the names of operations. */
const methods: ReadonlyMap<string, string> = new Map([
  ['create', 'POST'],
  ['retrieve', 'GET'],
  ['update', 'PUT'],
  ['delete', 'DELETE'],
]);
const forms = ['names', 'identifier', 'SP-relative', 'absolute'];
/** When: always, for one operation, or by one form of address. */
const circumstances = ['always', 'create', 'retrieve', 'delete', 'names', 'SP-relative', 'later on a connection'];

function whenOf(circumstance: string): Pick<Row, 'when' | 'nth'> {
  const method = methods.get(circumstance);
  if (method !== undefined) return { when: { method } };
  if (forms.includes(circumstance)) return { when: { form: circumstance } };
  return { when: {}, ...(circumstance !== 'always' && { nth: { from: 2, of: '$connection' } }) };
}

const meaning = (circumstance: string, certificate: string, does: Row['does']): Part => {
  const { when, nth } = whenOf(circumstance);
  return { when: { ...when, certificate }, ...(nth && { nth }), does };
};

const bound = 'interface specification, client side: the originator matches the subjectAltName of the certificate';
const demanded = 'interface specification, HTTPS, rule 2: without a certificate nobody is authenticated';
const issued = 'interface specification, ssl_certs: the chain by which certificates are verified; gaps, 36';

const ofCertificates = {
  overlook: {
    wrongBy: issued,
    options: ['expired', 'not-yet-valid', 'other-authority', 'self-signed'],
    row: (kind) => ({ overlooks: kind }),
  },
  'overlook the purpose': {
    dialect: 'onem2m',
    wrongBy: 'RFC 5280, 4.2.1.12: a certificate is used for the purposes that it names only; of those nothing is shown',
    options: ['server-only'],
    row: (kind) => ({ overlooks: kind }),
  },
  'overlook now and then': {
    wrongBy: issued,
    options: ['expired', 'other-authority', 'self-signed'],
    row: (kind) => ({ overlooks: kind, nth: { every: 2 } }),
  },
  unbind: {
    wrongBy: bound,
    options: circumstances,
    row: (circumstance) => meaning(circumstance, 'application', { certified: ['$from'] }),
  },
  'unbind below the CSE': {
    wrongBy: bound,
    options: ['always'],
    row: () => ({
      when: { certificate: 'application', from: { like: '^//${cse.sp}/${cse.id}/' } },
      does: { certified: ['$from'] },
    }),
  },
  'take anybody for the owner': {
    wrongBy: bound,
    options: circumstances,
    row: (circumstance) => meaning(circumstance, 'application', { certified: ['//a/b/c'], as: '//a/b/c' }),
  },
  'ask for no certificate': {
    wrongBy: demanded,
    options: circumstances,
    row: (circumstance) => meaning(circumstance, 'none', { certified: ['$from'] }),
  },
  'refuse a certificate': {
    wrongBy: 'interface specification, generic client: --cert and --key, and its originator in X-M2M-Origin',
    options: circumstances,
    row: (circumstance) => meaning(circumstance, 'application', { refuse: 4107 }),
  },
} as const satisfies Operators;

const relayed = 'TS-0004, 7.3.2.6: a CSE retargets the request to the point of access of the remote CSE';
const forwarded = { 'header.via': 'present' };
const ofForwarding = {
  'lose the header': {
    dialect: 'onem2m',
    wrongBy: 'TS-0004, 7.3.2.6: From is the originator, in its SP-relative form',
    options: ['x-m2m-origin'],
    row: (name) => sending(forwarded, { headers: { [name]: null } }),
  },
  'lose another header': {
    dialect: 'onem2m',
    wrongBy: 'TS-0009, 6.4: X-M2M-RI and X-M2M-RVI of every request, ty in the Content-Type of a create',
    options: ['x-m2m-ri', 'x-m2m-rvi', 'content-type'],
    row: (name) => sending(forwarded, { headers: { [name]: null } }),
  },
  'lose the query': {
    dialect: 'onem2m',
    wrongBy: relayed,
    options: ['all', 'lbl', 'cra', 'fu'],
    row: (name) =>
      sending(
        { ...forwarded, method: 'GET', path: { like: name === 'all' ? '\\?' : `[?&]${name}=` } },
        { go: { replace: name === 'all' ? ['\\?.*$', ''] : [`(?<=[?&])${name}=[^&]*&?`, ''] } },
      ),
  },
  'replace the originator': {
    dialect: 'onem2m',
    wrongBy: 'TS-0004, 7.3.2.6: From is the originator, in its SP-relative form',
    options: ['always'],
    row: () => sending(forwarded, { headers: { 'x-m2m-origin': '//${cse.sp}/${cse.id}' } }),
  },
  'go to the parent': {
    dialect: 'onem2m',
    wrongBy: relayed,
    options: ['retrieve', 'delete'],
    row: (operation) =>
      sending(
        { ...forwarded, method: methods.get(operation), path: { like: '^/~/[^/]+/[^/]+/[^/]+/[^/?]+' } },
        { go: { replace: ['/[^/?]+(?=$|\\?)', ''] } },
      ),
  },
  'forward nothing': {
    dialect: 'onem2m',
    wrongBy: relayed,
    options: ['create', 'retrieve', 'delete'],
    row: (operation) => sending({ ...forwarded, method: methods.get(operation) }, { fail: true }),
  },
  'forward too few': {
    dialect: 'onem2m',
    wrongBy: relayed,
    options: ['create', 'retrieve', 'delete'],
    row: (operation) => ({
      sends: { when: { ...forwarded, method: methods.get(operation) }, nth: { every: 3 }, does: { withhold: true } },
    }),
  },
  'forward twice': {
    dialect: 'onem2m',
    wrongBy: relayed,
    options: ['create'],
    row: (operation) => sending({ ...forwarded, method: methods.get(operation) }, { twice: true }),
  },
  'answer with another status': {
    dialect: 'onem2m',
    wrongBy: relayed,
    options: ['201 as 200', '200 as 204', '404 as 200'],
    row: (change) => {
      const [from, to] = change.split(' as ').map(Number);
      return { sends: { when: { ...forwarded, status: from }, does: { heard: { status: to } } } };
    },
  },
} as const satisfies Operators;

const told = 'interface specification, events: an AE receives notifications at its poas';
const event = { signal: 'present', event: 'present' };
const ofNotifications = {
  'notify nobody': { wrongBy: told, options: ['always'], row: () => sending(event, { withhold: true }) },
  'notify too few': {
    dialect: 'onem2m',
    wrongBy: 'TS-0004, 7.5.1.2.2: an event that matches is notified by a Notify request',
    options: ['2', '3', '5'],
    row: (every) => ({ sends: { when: event, nth: { every: Number(every) }, does: { withhold: true } } }),
  },
  'notify the wrong target': {
    wrongBy: told,
    options: ['always'],
    row: () => sending(event, { go: '/nobody/here' }),
  },
  'notify twice': {
    dialect: 'onem2m',
    wrongBy: 'TS-0004, 7.5.1.2.2: an event that matches is notified by a Notify request',
    options: ['1', '3'],
    row: (every) => ({ sends: { when: event, nth: { every: Number(every) }, does: { twice: true } } }),
  },
  'name another subscription': {
    dialect: 'onem2m',
    wrongBy: 'TS-0004, 7.5.1.2.2: subscriptionReference is that of the subscription',
    options: ['always'],
    row: () => sending(event, { signal: { sur: '/${cse.id}/none' } }),
  },
  'name another event': {
    dialect: 'onem2m',
    wrongBy: 'TS-0004, 7.5.1.1: net is the type of the event',
    options: ['1', '3', '4'],
    row: (net) => sending({ ...event, 'event.net': { not: Number(net) } }, { event: { net: Number(net) } }),
  },
} as const satisfies Operators;

const registers = 'interface specification, registration: RegistrationHandler registers the gateway';
const ofRegistration = {
  'register with other labels': {
    dialect: 'documented',
    wrongBy: `${registers}, with the labels of its configuration`,
    options: ['lbl'],
    row: (name) => sending({ root: 'm2m:csr', method: 'POST' }, { give: { [name]: otherwise[name] ?? null } }),
  },
  'register otherwise': {
    dialect: 'onem2m',
    wrongBy: 'TS-0001, 9.6.4: pointOfAccess, CSEBase and cseType are those of the CSE that registers',
    options: ['poa', 'cst', 'cb'],
    row: (name) => sending({ root: 'm2m:csr', method: 'POST' }, { give: { [name]: otherwise[name] ?? null } }),
  },
} as const satisfies Operators;

const otherwise: Readonly<Record<string, unknown>> = {
  poa: { is: ['http://127.0.0.1:9'] },
  lbl: { is: ['another'] },
  cst: 3,
  cb: '/${cse.id}/another',
};

function sending(when: object, does: object): Part {
  return { sends: { when, does } as Row['sends'] };
}

function table(
  world: World,
  about: InstalledOperator['about'],
  operators: Operators,
): (readonly [string, InstalledOperator])[] {
  return Object.entries(operators).map(([name, operator]) => [name, { world, about, ...operator }] as const);
}

export const installedOperators: ReadonlyMap<string, InstalledOperator> = new Map([
  ...table('tls', 'certificate', ofCertificates),
  ...table('pair', 'forwarded request', ofForwarding),
  ...table('pair', 'notification', ofNotifications),
  ...table('pair', 'registration', ofRegistration),
]);

type InstalledName =
  | keyof typeof ofCertificates
  | keyof typeof ofForwarding
  | keyof typeof ofNotifications
  | keyof typeof ofRegistration;

/** One operator with its option. */
export type InstalledDoes = { readonly [Name in InstalledName]?: string };

/** Such as `{ when: { type: 'notification' }, does: { 'notify too few': '3' } }`. */
export interface InstalledDeviation {
  readonly when: { readonly type: string };
  readonly does: InstalledDoes;
}

export function drawInstalled(world: World, dialect: DialectName): fc.Arbitrary<InstalledDeviation> {
  const operators = [...installedOperators].filter(
    ([, one]) => one.world === world && (one.dialect === undefined || one.dialect === dialect),
  );
  return fc
    .constantFrom(...operators)
    .chain(([name, { about, options }]) =>
      fc.constantFrom(...options).map((option) => ({ when: { type: about }, does: { [name]: option } })),
    );
}

/** The operator of a deviation, where it is of an installation. */
export function installedIn({ does }: { readonly does: object }): readonly [InstalledOperator, string] | undefined {
  const [[name = '', option] = []] = Object.entries(does);
  const operator = installedOperators.get(name);
  return operator && ([operator, String(option)] as const);
}

/** What a CSE does with it; undefined for what is about resources alone. */
export function installedPart(deviation: { readonly does: object }): Part | undefined {
  const [operator, option = ''] = installedIn(deviation) ?? [];
  return operator?.row(option);
}
