/** The greeting of `cselab up` once everything listens. */
import { relative } from 'node:path';
import { shipped, shippedHolders } from '../../certs/shipped.ts';
import type { CseConfiguration } from '../core/configuration.ts';
import type { DialectName } from '../core/resource-type.ts';
import { faithfulnessOf, type Product, standInName } from '../products/product.ts';
import type { NodeSettings } from '../topology/node-settings.ts';
import type { PairCertificates } from '../topology/pair-certificates.ts';
import type { RunningNode } from './output/event.ts';
import { applicationBeside } from './remote.ts';
import type { DeviationSettings } from './settings.ts';

export interface Greeting {
  /** Gateways first. */
  readonly nodes: readonly RunningNode[];
  readonly certificates: PairCertificates | undefined;
  /** Initial resources of the first gateway. */
  readonly seeded: number;
  /** With a line for each deviation. */
  readonly onPurpose: DeviationSettings & { readonly deviations: readonly string[] };
}

export function greeting({ nodes, certificates, seeded, onPurpose }: Greeting): string {
  const [gateway, backend] = (['gateway', 'backend'] as const).map((role) => nodes.find((one) => one.role === role));
  const lines = nodes.map((one) => describeNode(one, one === gateway ? seeded : 0));
  const urls = [gateway?.node.url, backend?.node.url].filter((url) => url !== undefined);
  const first = nodes.find(({ node }) => node.url !== undefined);
  const hints = first === undefined ? [] : [curlLines(first, backend, certificates)];
  return [...lines, ...wrongLines(onPurpose), ...hints, `\nready ${urls.join(' ')}`].join('\n');
}

function wrongLines({ product, deviations, rules }: Greeting['onPurpose']): string[] {
  return [
    ...(product === undefined ? [] : [imitationLine(product)]),
    ...deviations.map((one) => `deviation: ${one}`),
    ...rules.map((rule) => `disturbance: ${rule}`),
  ];
}

function imitationLine(product: Product): string {
  const { name, imitates, version } = product;
  const { violated, inCommon, beyond } = faithfulnessOf(product);
  const more = beyond === 0 ? '' : `, and ${beyond} more`;
  const whom = version === undefined ? imitates : `${imitates} ${version}`;
  return `${standInName(name)}: of ${violated} requirements that ${whom} violates it violates ${inCommon}${more};
  \`cselab up --as ${name} --list-deviations\` lists them`;
}

function describeNode({ node }: RunningNode, seeded: number): string {
  const { base, cseId, accessControl } = node.cse.core.configuration;
  const { required, admin: originator } = accessControl;
  const adminNote = required && originator !== undefined ? `, where ${originator} may do everything` : '';
  const where = node.url === undefined ? 'does not listen: HTTPTransportPlugin is disabled' : `at ${node.url}/${base}`;
  const resources = seeded === 0 ? '' : `, with ${seeded} initial resources`;
  const registrations = node.registrations.map(({ registered, remote }) =>
    registered ? `, registered at ${remote}` : `, not registered at ${remote} yet`,
  );
  const admin =
    node.adminUrl === undefined ? '' : `\n  its admin port: ${node.adminUrl} with the token ${node.adminToken}`;
  return `CSE ${cseId} ${where}${adminNote}${resources}${registrations.join('')}${admin}`;
}

function curlLines(first: RunningNode, backend?: RunningNode, certificates?: PairCertificates): string {
  const { url } = first.node;
  const { base, dialect } = first.node.cse.core.configuration;
  const words = { all: spread(credentials(first.settings, certificates)), ...wordings[dialect.name](first) };
  const create = `
Create the first application entity:
  curl -X POST ${url}/${base}${words.all}${words.creator} \\
    -H 'Content-Type: ${words.contentType}' \\
    -d '${words.content}'`;
  if (backend === undefined || backend === first || words.reader === undefined) return create;
  const remote = backend.node.cse.core.configuration;
  return `${create}

Read the backend through the gateway:
  curl ${url}/~/${remote.cseId}/${remote.base}${words.all}${words.reader(remote)}`;
}

const spread = (words: readonly string[]): string => words.map((word) => ` \\\n    ${word}`).join('');

interface Wording {
  /** What an application sends beside its credentials. */
  readonly creator: string;
  readonly contentType: string;
  readonly content: string;
  /** What the reader of a CSE sends; undefined where no originator is known that may read. */
  readonly reader: ((cse: CseConfiguration) => string) | undefined;
}

const wordings: Readonly<Record<DialectName, (first: RunningNode) => Wording>> = {
  documented: () => ({
    creator: '',
    contentType: 'application/vnd.onem2m-res+json',
    content: '{"m2m:ae": {"rn": "myapp", "api": "N.example", "rr": "TRUE"}}',
    reader: () => '',
  }),
  onem2m: ({ node, settings }) => {
    const { releases } = node.cse.core.configuration;
    const release = releases.at(-1) ?? '3';
    const usual = [`-H 'X-M2M-RI: 1'`, `-H 'X-M2M-RVI: ${release}'`];
    const certified = settings.http?.requireCert === true;
    const from = (originator: string) => (certified ? [] : [`-H 'X-M2M-Origin: ${originator}'`]);
    return {
      creator: spread([...from('CMyApp'), ...usual]),
      contentType: 'application/json;ty=2',
      content: `{"m2m:ae": {"rn": "myapp", "api": "N.example", "rr": true, "srv": ["${release}"]}}`,
      // Over HTTPS the gateway authenticates originators below it, but not the administrator of the backend.
      reader: settings.http?.enableHttps
        ? undefined
        : ({ cseId, spId, accessControl: { admin = 'CAdmin' } }) =>
            spread([...from(`//${spId}/${cseId}/${admin}`), ...usual]),
    };
  },
};

/** The curl options of a client: the authorities, and where required a certificate with its originator. */
function credentials({ http, tls }: NodeSettings, certificates: PairCertificates | undefined): string[] {
  if (!http?.enableHttps || tls === undefined) return [];
  const authorities = `--cacert ${shortPath(tls.ca)}`;
  if (!http.requireCert) return [authorities];
  const known = { ...shipped.certificate('test-ae'), originator: shippedHolders['test-ae'] };
  const { cert, key, originator } = certificates?.ae ?? applicationBeside(tls.ca) ?? known;
  return [authorities, `--cert ${shortPath(cert)}`, `--key ${shortPath(key)}`, `-H 'X-M2M-Origin: ${originator}'`];
}

/** Relative to the working directory, when that is shorter. */
function shortPath(path: string): string {
  const near = relative('.', path);
  return near.length < path.length ? near : path;
}
