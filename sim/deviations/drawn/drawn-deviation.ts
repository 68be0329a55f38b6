/** Ways in which a CSE can deviate, as data: which exchanges are meant, and what becomes of them. */
import type { Operation } from '../../core/primitive.ts';
import type { InstalledDoes } from './outgoing-operators.ts';

export interface DrawnDeviation {
  readonly when: When;
  readonly does: Does | InstalledDoes;
}

/** How a request names the resource: by names, by an identifier alone, or with the CSE or the service provider before it. */
export type AddressForm = 'names' | 'identifier' | 'SP-relative' | 'absolute';

/** Which exchanges are meant; what is not said is no matter. */
export interface When {
  readonly operation?: Operation;
  /** Root of what is addressed, or of what is to be created: `m2m:cnt`. */
  readonly type?: string;
  readonly address?: AddressForm;
  /** Whether the originator is the one who created what is addressed. */
  readonly by?: 'creator' | 'another';
  /** Of those that the rest means: one in so many, or the n-th and all that follow. */
  readonly nth?: { readonly every: number } | { readonly from: number };
}

/** Letters that become others, or none. */
export type LetterClass = 'upper case' | 'beyond ASCII' | 'white space' | 'digits';

/** What becomes of an exchange. Attributes are named as they are sent. */
export type Does =
  /** Answers that show the resource lack the attribute. */
  | { readonly drop: string }
  /** They show the value with which the resource was first shown. */
  | { readonly freeze: string }
  /** They show the one under the name of the other. */
  | { readonly swap: readonly [string, string] }
  /** They show so many characters of it. */
  | { readonly truncate: string; readonly at: number }
  | { readonly letters: LetterClass; readonly in: string }
  /** They show so much more or less, above so much. */
  | { readonly add: number; readonly to: string; readonly above?: number }
  /** They never show more than so much. */
  | { readonly stop: string; readonly at: number }
  /** They show it modulo so much. */
  | { readonly wrap: string; readonly at: number }
  /** They show what another resource of the type was last shown with. */
  | { readonly borrow: string }
  /** Creates and updates go as if they did not give it. */
  | { readonly ignore: string }
  /** Successes are answered with another code. */
  | { readonly succeed: number }
  /** Refusals with one code are refused with another one. */
  | { readonly refuse: readonly [number, number] }
  /** What is right is refused. */
  | { readonly reject: number }
  /** It is answered as done, and nothing is changed. */
  | { readonly pretend: 'update' | 'delete' }
  /** Until the next change the resource is shown as it was before the last one. */
  | { readonly stale: 'until the next change' }
  /** Lists of addresses and children lack some. */
  | { readonly lose: 'first' | 'last'; readonly above?: number }
  /** They name one twice. */
  | { readonly repeat: 'first' | 'last' }
  /** Who has no right is served all the same. */
  | { readonly trust: 'anybody' };

/** Its operator: the first word of what it does. */
export function operatorOf({ does }: DrawnDeviation): string {
  return Object.keys(does)[0] ?? '';
}

/** The attributes that it is about. */
export function attributesIn({ does }: DrawnDeviation): readonly string[] {
  if ('swap' in does) return does.swap;
  if ('letters' in does) return [does.in];
  if ('add' in does) return [does.to];
  const [[operator = '', value] = []] = Object.entries(does);
  const isName = ['drop', 'freeze', 'truncate', 'stop', 'wrap', 'borrow', 'ignore'].includes(operator);
  return isName ? [String(value)] : [];
}

/** Such as `m2m:cnt, retrieve by another: drop cni`. */
export function wordsFor({ when, does }: DrawnDeviation): string {
  const { operation, type = 'any resource', address, by, nth } = when;
  const which = nth === undefined ? '' : 'every' in nth ? `, one in ${nth.every}` : `, from the ${nth.from}. on`;
  const how = address === undefined ? '' : ` by ${address}`;
  const who = by === undefined ? '' : ` by ${by === 'creator' ? 'its creator' : 'another originator'}`;
  const what = Object.entries(does).map(([name, value]) => `${name} ${[value].flat().join(' ')}`);
  return `${type}${operation === undefined ? '' : `, ${operation}`}${how}${who}${which}: ${what.join(', ')}`;
}
