/** What the HTTP binding does differently in the two dialects (`gaps`, rows 20 to 24 and 31 to 33). */
import type { DialectName } from '../core/resource-type.ts';

export interface HttpConventions {
  readonly dialect: DialectName;
  /** Content types of bodies that are taken. */
  readonly taken: readonly string[];
  /** What an answer can be labelled with, the preferred first. */
  readonly given: readonly string[];
  /**
   * Whether X-M2M-RI, X-M2M-RVI and, but for the create of an AE, X-M2M-Origin must be there, and `ty` in the Content-Type of a
   * create and nowhere else.
   */
  readonly parametersRequired: boolean;
  /** What `+` means in a query: a space, or what stands between values of a list (TS-0009, clause 6.2.2.2). */
  readonly plus: 'a space' | 'between values';
}

const documentedTypes = [
  'application/vnd.onem2m-res+json',
  'application/json',
  'application/vnd.onem2m-ntfy+json',
  'application/vnd.onem2m-attrs+json',
];

const documented: HttpConventions = {
  dialect: 'documented',
  taken: documentedTypes,
  given: documentedTypes,
  parametersRequired: false,
  plus: 'a space',
};

/** TS-0004, clause 6.7. */
const ofStandard = (format: 'json' | 'cbor') => [
  `application/${format}`,
  ...['res', 'ntfy', 'attrs', 'preq', 'prsp'].map((name) => `application/vnd.onem2m-${name}+${format}`),
];

const onem2m: HttpConventions = {
  dialect: 'onem2m',
  taken: [...ofStandard('json'), ...ofStandard('cbor')],
  given: ['application/json', 'application/vnd.onem2m-res+json', 'application/cbor', 'application/vnd.onem2m-res+cbor'],
  parametersRequired: true,
  plus: 'between values',
};

export const conventions: Readonly<Record<DialectName, HttpConventions>> = { documented, onem2m };
