/** Which product it may be, by what only that sends. */
import { defined } from '../engine/defined.ts';
import { standInOf } from '../engine/targets/stand-in.ts';
import type { Base } from './find-base.ts';
import { type Finding, quoted, told } from './finding.ts';

export interface Product {
  readonly finding: Finding;
  /** What it is called: an imitation is never called as the product is. */
  readonly product?: string;
  readonly version?: string;
}

interface Hint {
  readonly product: string;
  readonly version?: string | undefined;
  readonly because: string;
}

/** Each looks at one answer and says nothing, or which product it may be. */
const hints: ReadonlyArray<(base: Base) => Hint | undefined> = [
  ({ seen }) => {
    const [, version] = /\bACME\/([\w.-]+)/.exec(seen.view.headers.get('server') ?? '') ?? [];
    return version === undefined ? undefined : { product: 'ACME', version, because: `Server names ACME/${version}` };
  },
  ({ seen }) =>
    /"ty"\s*:\s*5\.0\b/.test(seen.text)
      ? { product: 'tinyIoT', because: 'integers are written with a fraction, such as 5.0' }
      : undefined,
  ({ seen, attributes }) =>
    ordered(seen.exchange.answer?.headers ?? []) && 'nl' in attributes && attributes.nl === null
      ? { product: 'OpenMTC', because: 'the order of its headers, and null for attributes that are not set' }
      : undefined,
  ({ attributes }) =>
    /^\/?Mobius\d*$/.test(String(attributes.csi)) || attributes.rn === 'Mobius'
      ? { product: 'Mobius', because: 'the names of its CSE base' }
      : undefined,
  ({ attributes }) =>
    /^(in|mn)-name$/.test(String(attributes.rn)) && /^\/?(in|mn)-cse$/.test(String(attributes.csi))
      ? { product: 'OM2M', because: 'the names of its CSE base' }
      : undefined,
];

/** Whether it speaks as OpenMTC does, be it itself or an imitation. */
export function speaksAsOpenMtc(base: Base): boolean {
  return ['openmtc', 'cselab as openmtc'].includes(productOf(base).product?.toLowerCase() ?? '');
}

export function productOf(base: Base): Product {
  const { headers } = base.seen.view;
  const finding = (value: string | undefined, evidence: string) =>
    told('identity', 'product', 'product', value, evidence);
  const imitation = standInOf(base.seen.exchange.answer?.headers ?? []);
  if (imitation !== undefined)
    return {
      finding: finding(imitation, `it says so itself, with Server: ${quoted(imitation)}`),
      product: imitation,
    };
  const hint = hints.map((look) => look(base)).find((one) => one !== undefined);
  const server = headers.get('server');
  const sent = server === undefined ? 'without the header Server' : `with Server: ${quoted(server)}`;
  if (hint === undefined) return { finding: finding(undefined, `${base.seen.evidence}, ${sent}`) };
  const { product, version, because } = hint;
  const value = version === undefined ? product : `${product} ${version}`;
  const evidence = `it looks like ${product}: ${because}; ${sent}`;
  return { finding: finding(value, evidence), product, ...defined({ version }) };
}

/** OpenMTC writes its own headers first, and those in this order. */
function ordered(headers: ReadonlyArray<readonly [string, string]>): boolean {
  const names = headers.map(([name]) => name.toLowerCase()).filter((name) => name !== 'connection');
  return names.slice(0, 3).join() === 'x-m2m-ri,x-m2m-rsc,x-m2m-rvi';
}
