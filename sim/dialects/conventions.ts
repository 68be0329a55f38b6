/** What the HTTP binding does differently in the two dialects (`gaps`, rows 20 to 24 and 31 to 33). */
import type { DialectName } from '../core/resource-type.ts';

export interface HttpConventions {
  /** Content types of bodies that are taken. */
  readonly taken: readonly string[];
  /** What an answer can be labelled with, the preferred first. */
  readonly given: readonly string[];
  /**
   * Whether X-M2M-RI, X-M2M-RVI and, but for the create of an AE, X-M2M-Origin must be there, and `ty` in the Content-Type of a
   * create and nowhere else.
   */
  readonly parametersRequired: boolean;
  /** Content-Location: the resource of which the answer speaks, always, or only where it was created (TS-0009, clause 6.4.4). */
  readonly contentLocation: 'always' | 'of what was created';
  /** Whether answers say when they were made (X-M2M-OT). */
  readonly answersAreTimed: boolean;
  /** Whether the base64 text of a JSON document is a body (`gaps`, row 24). */
  readonly takesBase64: boolean;
  /** What `+` means in a query: a space, or what stands between values of a list (TS-0009, clause 6.2.2.2). */
  readonly plus: 'a space' | 'between values';
  /** A slash at the end of a path: says nothing, or makes it no address (TS-0001, clause 9.3.1). */
  readonly trailingSlash: 'ignored' | 'refused';
  /** Whether `#name` at the end of a path asks for one attribute (TS-0009, clause 6.2.2.2). */
  readonly takesFragment: boolean;
}

const documented: HttpConventions = {
  taken: [
    'application/vnd.onem2m-res+json',
    'application/vnd.onem2m-ntfy+json',
    'application/vnd.onem2m-attrs+json',
    'application/json',
  ],
  given: [
    'application/vnd.onem2m-res+json',
    'application/json',
    'application/vnd.onem2m-ntfy+json',
    'application/vnd.onem2m-attrs+json',
  ],
  parametersRequired: false,
  contentLocation: 'always',
  answersAreTimed: false,
  takesBase64: true,
  plus: 'a space',
  trailingSlash: 'ignored',
  takesFragment: false,
};

/** TS-0004, clause 6.7. */
const ofStandard = (format: 'json' | 'cbor') => [
  `application/${format}`,
  ...['res', 'ntfy', 'attrs', 'preq', 'prsp'].map((name) => `application/vnd.onem2m-${name}+${format}`),
];

const onem2m: HttpConventions = {
  taken: [...ofStandard('json'), ...ofStandard('cbor')],
  given: ['application/json', 'application/vnd.onem2m-res+json', 'application/cbor', 'application/vnd.onem2m-res+cbor'],
  parametersRequired: true,
  contentLocation: 'of what was created',
  answersAreTimed: true,
  takesBase64: false,
  plus: 'between values',
  trailingSlash: 'refused',
  takesFragment: true,
};

export const conventions: Readonly<Record<DialectName, HttpConventions>> = { documented, onem2m };
