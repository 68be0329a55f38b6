/** Values of configuration files that are more than strings. What is wrong is reported, and read as undefined. */

import type { Findings, Range } from './config-problem.ts';
import { didYouMean, type Placed, quoted } from './config-section.ts';
import type { RemoteCse } from './registration-requests.ts';

type Reading = { readonly findings: Findings };

/** A name that stands as one segment in paths: no slash, no space, nothing that ends a path, not what a path begins with. */
export function identifier(text: Placed<string> | undefined, { findings }: Reading): Placed<string> | undefined {
  if (text === undefined) return undefined;
  const problem = problemOf(text.value);
  if (problem !== undefined) findings.error(text, `${quoted(text.value)} ${problem}`);
  return problem === undefined ? text : undefined;
}

/** Written with a leading slash in requests (`/mn-cse-1`), and without one in the documented files. */
export function cseIdentifier(text: Placed<string> | undefined, { findings }: Reading): Placed<string> | undefined {
  if (text === undefined || !/^\/[^/]/.test(text.value)) return identifier(text, { findings });
  findings.note(text, 'a cse_id stands in this file without the leading slash');
  return identifier({ ...text, value: text.value.slice(1) }, { findings });
}

function problemOf(value: string): string | undefined {
  if (value === '') return 'is empty';
  if (value.includes('/')) return 'has a slash inside';
  if (/[\s\p{Cc}?#%\\]/u.test(value)) return 'has a character that cannot stand in an identifier';
  return ['~', '_', '.', '..'].includes(value) ? 'means something else in a path' : undefined;
}

const cseTypes = ['IN-CSE', 'MN-CSE', 'ASN-CSE'] as const;

/** `MN-CSE`, `mn_cse`, `IN_CSE` …: the documentation itself writes them in two ways. */
export function cseType(text: Placed<string> | undefined, { findings }: Reading): RemoteCse['cseType'] | undefined {
  if (text === undefined) return undefined;
  const wanted = text.value.toUpperCase().replace('_', '-');
  const type = cseTypes.find((known) => known === wanted);
  if (type === undefined) {
    findings.error(text, `${quoted(text.value)} is none of ${cseTypes.join(', ')}${didYouMean(text.value, cseTypes)}`);
  }
  return type;
}

/** An URL of a CSE. */
export interface PointOfAccess extends Range {
  /** Without a slash at the end. */
  readonly url: string;
  readonly secure: boolean;
}

export function pointOfAccess(text: Placed<string>, { findings }: Reading): PointOfAccess[] {
  const { value, from, to } = text;
  const problem = problemOfUrl(value);
  if (problem !== undefined) findings.error(text, `${quoted(value)} ${problem}`);
  return problem === undefined ? [{ url: value.replace(/\/$/, ''), secure: /^https:/i.test(value), from, to }] : [];
}

function problemOfUrl(value: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value) || !URL.canParse(value)) return 'is no URL such as http://localhost:8000';
  const { protocol } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:')
    return `has the scheme ${protocol.slice(0, -1)}, not http or https`;
  return /^https?:\/\/[^\s/?#@\\]+\/?$/i.test(value) ? undefined : 'has more than scheme, host and port';
}
