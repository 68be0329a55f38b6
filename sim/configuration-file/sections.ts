/** The sections of a configuration file, each value by itself. */
import { isIP } from 'node:net';
import type { Node } from 'jsonc-parser';
import type { RemoteCse } from '../topology/registration-requests.ts';
import { anything, didYouMean, flag, listOf, type NodeReader, object, text, textBut, wholeNumber } from './form.ts';

/** A name that is one segment of paths: no slash, no space, nothing that ends a path, no reserved first segment. */
const identifier = textBut((value) => {
  if (value === '') return 'is empty';
  if (value.includes('/')) return 'has a slash inside';
  if (/[\s\p{Cc}?#%\\]/u.test(value)) return 'has a character that cannot stand in an identifier';
  return ['~', '_', '.', '..'].includes(value) ? 'means something else in a path' : undefined;
});

/** Written with a leading slash in requests (`/mn-cse-1`), and without one in the documented files. */
const cseIdentifier: NodeReader<string> = (node, findings) => {
  if (node.type !== 'string' || !/^\/[^/]/.test(node.value)) return identifier(node, findings);
  findings.note(node, 'a cse_id stands in this file without the leading slash');
  return identifier({ ...node, value: node.value.slice(1) }, findings);
};

const cseTypes = ['IN-CSE', 'MN-CSE', 'ASN-CSE'] as const;

/** `MN-CSE`, `mn_cse`, `IN_CSE` …: the documentation itself writes them in two ways. */
const cseType: NodeReader<RemoteCse['cseType']> = (node, findings) => {
  const known = (value: string) => cseTypes.find((type) => type === value.toUpperCase().replace('_', '-'));
  const isNone = (value: string) =>
    known(value) === undefined ? `is none of ${cseTypes.join(', ')}${didYouMean(value, cseTypes)}` : undefined;
  return known(textBut(isNone)(node, findings) ?? '');
};

/** A URL of a CSE, without a slash at the end. */
const pointOfAccess: NodeReader<string> = (node, findings) =>
  textBut((value) => {
    if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value) || !URL.canParse(value))
      return 'is no URL such as http://localhost:8000';
    const { protocol } = new URL(value);
    if (protocol !== 'http:' && protocol !== 'https:')
      return `has the scheme ${protocol.slice(0, -1)}, not http or https`;
    return /^https?:\/\/[^\s/?#@\\]+\/?$/i.test(value) ? undefined : 'has more than scheme, host and port';
  })(node, findings)?.replace(/\/$/, '');

/** An address to listen on, or a name of this machine. */
const address = textBut((value) => {
  if (isIP(value) !== 0 || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(value)) return undefined;
  return `is no address to listen on${value.startsWith('[') ? '; an IPv6 address stands without brackets here' : ''}`;
});

/** Seconds: as long as 32 bits can count, which is 68 years. */
const seconds = wholeNumber(1, 2 ** 31 - 1);

const globalForm = object({
  default_lifetime: seconds,
  require_auth: flag,
  disable_forwarding: flag,
  additional_host_names: 'unused',
  default_content_type: 'unused',
});

const httpFields = {
  interface: address,
  port: wholeNumber(0, 65_535),
  enable_https: flag,
  require_cert: flag,
  reject_at_handshake: flag,
};
// Which clients a missing require_cert admits over HTTPS would be a guess.
export const httpForm = object(httpFields, ({ enable_https }) => ({
  keys: enable_https?.value ? ['port', 'require_cert'] : ['port'],
}));

const urls = listOf(pointOfAccess);
const isEmptyList = (node: Node) => node.type === 'array' && node.children?.length === 0;

const remoteForm = object(
  {
    cse_base: identifier,
    cse_id: cseIdentifier,
    cse_type: cseType,
    own_poa: urls,
    poa: (node, findings) => {
      if (isEmptyList(node)) findings.error(node, 'one URL at least is needed to reach the other CSE');
      return urls(node, findings);
    },
  },
  () => ({ keys: ['cse_base', 'cse_id', 'cse_type', 'own_poa', 'poa'] }),
);
export const registrationForm = object(
  {
    interval: seconds,
    offset: seconds,
    labels: listOf(text),
    remote_cses: (node, findings) => {
      if (isEmptyList(node)) findings.note(node, 'without an entry this CSE registers nowhere');
      return listOf(remoteForm)(node, findings);
    },
  },
  () => ({ keys: ['interval', 'offset', 'remote_cses'] }),
);

/** The entry of a plugin. Documented: "Must be false for the plugin to run". Whether a missing one lets it run would be a guess. */
const entryFields = { name: anything, package: text, disabled: flag, config: anything };
export const entryForm = object(entryFields, ({ disabled }) => ({
  keys: disabled?.value ? ['disabled'] : ['disabled', 'config'],
}));
export const namelessForm = object({ name: text, package: 'unused', disabled: 'unused', config: 'unused' }, () => ({
  keys: ['name'],
}));

const overwritingFields = { enabled: flag, originator: text, forwarded: flag };

const onem2mForm = object(
  {
    cse_base: identifier,
    cse_id: cseIdentifier,
    sp_id: identifier,
    cse_type: cseType,
    default_privileges: 'unused',
    dynamic_authorization: object({ enabled: flag, poa: anything }),
    overwrite_originator: object(overwritingFields, ({ enabled }) => ({
      keys: enabled?.value ? ['enabled', 'originator'] : ['enabled'],
    })),
    accept_insecure_certs: flag,
    ssl_certs: anything,
  },
  () => ({ keys: ['cse_base', 'cse_id', 'cse_type', 'sp_id'] }),
);

/** `because` says why the files are needed; undefined when they are not. */
export const certificatesForm = (because: string | undefined) =>
  object({ key: text, crt: text, ca: text }, () => ({
    keys: because === undefined ? [] : ['key', 'crt', 'ca'],
    because,
  }));

export const rootForm = object(
  { global: globalForm, onem2m: onem2mForm, plugins: anything, database: 'unused', logging: 'unused' },
  () => ({ keys: ['onem2m', 'plugins'] }),
);

type Of<Form> = Form extends NodeReader<infer T> ? T : never;
export type Global = Of<typeof globalForm>;
export type Http = Of<typeof httpForm>;
export type Onem2m = Of<typeof onem2mForm>;
export type RegistrationSection = Of<typeof registrationForm>;
export type RemoteSection = Of<typeof remoteForm>;
