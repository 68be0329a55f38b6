import { isObject } from '../engine/basics/body.ts';
import { defined } from '../engine/basics/defined.ts';
import { defaultOriginator } from '../engine/messages/usual-headers.ts';
import { pathSegment } from '../engine/messages/wire.ts';
import { perhapsAnother } from '../engine/targets/reach-url.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import type { Asker, ProbeAnswer, Question } from './asker.ts';
import { type ProbeOutcome, quoted } from './finding.ts';

/** Default names of CSE bases in products, the most frequent first; `-` is the shortcut of many CSEs. */
const usualNames = [
  'onem2m',
  'cse-in',
  '-',
  'in-cse',
  'mn-cse',
  'Mobius',
  'TinyIoT',
  '~/id-in/-',
  'in-name',
  'mn-name',
  '~/in-cse/in-name',
  '~/mn-cse/mn-name',
];

/** Default administrators of products, and an unregistered application entity. */
export const usualOriginators = ['CAdmin', defaultOriginator, 'Sponde', 'admin:admin'];

/** RSC for an unknown release. */
const unsupported = 4001;

export interface Base {
  readonly name: string;
  /** Path at which it answers, with a leading slash. */
  readonly path: string;
  /** Prefix of every path: empty, or the SP-relative start if nothing else works. */
  readonly prefix: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly answer: ProbeAnswer;
  /** The very first answer, after which the connection was watched. */
  readonly first: ProbeAnswer;
}

export type Search =
  | { readonly kind: 'base'; readonly base: Base }
  /** It exists, but none of the originators may read it. */
  | { readonly kind: 'refused'; readonly path: string; readonly answer: ProbeAnswer }
  /** HTTP answers, but none from a CSE base. `cse`: they look like those of a CSE. */
  | { readonly kind: 'nowhere'; readonly cse: boolean; readonly answer: ProbeAnswer; readonly tried: readonly string[] }
  | { readonly kind: 'silent'; readonly answer: ProbeAnswer };

export interface BaseOptions {
  readonly name?: string | undefined;
  /** Originators to try, in order. */
  readonly originators: readonly string[];
  readonly first: string;
  readonly most?: number;
  /** Milliseconds to watch whether the target closes the connection after its first answer; absent: not watched. */
  readonly watch?: number;
  /** Other releases to try if the usual one is refused. */
  readonly releases?: readonly string[];
}

/** Looks for the CSE base, by the given name or the usual ones. */
export async function findBase(asker: Asker, options: BaseOptions): Promise<Search> {
  const search = new BaseSearch(asker, options);
  const found = await search.walk();
  if (found.kind !== 'refused') return found;
  for (const originator of [...options.originators.slice(1), null]) {
    const again = await search.look(found.path, originator);
    if (again !== undefined) return { kind: 'base', base: again };
    if (search.over) break;
  }
  return found;
}

class BaseSearch {
  readonly #asker: Asker;
  readonly #options: BaseOptions;
  #releases: readonly string[];
  readonly #seen: Array<{ readonly path: string; readonly answer: ProbeAnswer }> = [];

  constructor(asker: Asker, options: BaseOptions) {
    this.#asker = asker;
    this.#options = options;
    this.#releases = options.releases ?? [];
  }

  get over(): boolean {
    return this.#asker.interrupted || this.#asker.silenced;
  }

  async walk(): Promise<Search> {
    const { name: only, first, most = usualNames.length, originators } = this.#options;
    const names = only === undefined ? [...new Set([first, ...usualNames])].slice(0, most) : [only];
    for (const name of names) {
      const base = await this.look(`/${name}`, originators[0] ?? null);
      if (base !== undefined) return { kind: 'base', base };
      const verdict = this.#verdict();
      if (verdict !== undefined) return verdict;
    }
    return this.#refused() ?? this.#nowhere();
  }

  async look(path: string, originator: string | null): Promise<Base | undefined> {
    const { watch } = this.#options;
    const question: Question = { path, originator, ...(this.#seen.length === 0 && defined({ watch })) };
    let answer = await this.#inSomeRelease(question);
    if (/<\w+:cb[\s>]/.test(answer.text)) {
      this.#asker.speak({ accept: 'application/json' });
      answer = await this.#asker.ask(question);
    }
    this.#seen.push({ path, answer });
    const base = baseIn(answer, path, this.#seen[0]?.answer ?? answer);
    if (base !== undefined) this.#asker.speak({ originator: originator ?? undefined });
    return base;
  }

  /** Continues with the first release that is not refused with RELEASE_VERSION_NOT_SUPPORTED (TS-0004 6.6.3.5). */
  async #inSomeRelease(question: Question): Promise<ProbeAnswer> {
    const answer = await this.#asker.ask(question);
    if (answer.view.rsc !== unsupported) return answer;
    const { release: usual } = this.#asker;
    const others = this.#releases.filter((one) => one !== usual);
    this.#releases = [];
    for (const release of others) {
      this.#asker.speak({ release });
      const again = await this.#asker.ask(question);
      if (again.view.rsc !== unsupported) return again;
    }
    this.#asker.speak({ release: usual });
    return answer;
  }

  /** The result if more names would not help. */
  #verdict(): Search | undefined {
    const { answer } = this.#seen.at(-1) ?? {};
    if (answer === undefined || answer.unsent) return this.#seen.length > 1 ? this.#nowhere() : undefined;
    const answers = this.#seen.filter((one) => one.answer.answered);
    if (answers.length === 0) return { kind: 'silent', answer };
    const missing = answers.some((one) => one.answer.view.status === 404);
    const refused = this.#refused();
    if (refused !== undefined && (missing || answers.length > 1)) return refused;
    // No more names for a server that answers any request.
    const same = answers.every((one) => !speaksAsCse(one.answer) && (one.answer.view.status ?? 0) < 400);
    return same && answers.length > 2 ? this.#nowhere() : undefined;
  }

  #refused(): Search | undefined {
    const found = this.#seen.find(({ answer }) => answer.view.status === 403 && speaksAsCse(answer));
    return found && { kind: 'refused', ...found };
  }

  #nowhere(): Search {
    const answered = this.#seen.filter(({ answer }) => answer.answered);
    const telling = answered.find(({ answer }) => speaksAsCse(answer)) ?? answered[0] ?? this.#seen[0];
    const [some] = this.#seen;
    if (telling === undefined || some === undefined) throw new Error('no name was looked for');
    if (answered.length === 0) return { kind: 'silent', answer: some.answer };
    const tried = this.#seen.filter(({ answer }) => !answer.unsent).map(({ path }) => path);
    return { kind: 'nowhere', cse: speaksAsCse(telling.answer), answer: telling.answer, tried: [...new Set(tried)] };
  }
}

/** Whether only a CSE sends such an answer. */
export function speaksAsCse({ view }: ProbeAnswer): boolean {
  const { headers, body } = view;
  return headers.has('x-m2m-rsc') || (isObject(body) && Object.keys(body).some((key) => key.startsWith('m2m:')));
}

function baseIn(answer: ProbeAnswer, path: string, first: ProbeAnswer): Base | undefined {
  const { root, attributes } = answer.view;
  if (!answer.success || root !== 'm2m:cb' || attributes === undefined) return undefined;
  const [, start = '', requested = ''] = /^(\/~\/[^/]+)?\/([^/]+)$/.exec(path) ?? [];
  const { rn } = attributes;
  const ownName = typeof rn === 'string' && /^[^\s/?#\p{Cc}]{1,200}$/u.test(rn) ? rn : undefined;
  const name = ownName ?? requested;
  const own = ownName === undefined ? path : `${start}/${pathSegment(name)}`;
  return { name, path: own, prefix: start, attributes, answer, first };
}

type Missing = Exclude<Search, { kind: 'base' }>;

/** The outcome if no CSE base was read. */
export function missing(
  search: Missing,
  interrupted: boolean,
  prepared: PreparedUrl,
): { readonly outcome: ProbeOutcome; readonly says: string } {
  if (interrupted) return { outcome: 'interrupted', says: 'interrupted before a CSE base was found' };
  const { evidence, exchange } = search.answer;
  if (search.kind !== 'silent') return { outcome: 'no cse', says: sentence(search) };
  return exchange.failure?.kind === 'malformed'
    ? { outcome: 'no cse', says: `it does not answer as a CSE would: ${evidence}` }
    : { outcome: 'unreachable', says: `it does not answer: ${evidence}${perhapsAnother(exchange.failure, prepared)}` };
}

function sentence(search: Exclude<Missing, { kind: 'silent' }>): string {
  const { evidence, view } = search.answer;
  if (search.kind === 'refused')
    return `${search.path} cannot be read by the originators tried (${evidence}): give --originator or --admin`;
  if (search.cse)
    return `it answers as a CSE does, but no CSE base was found at ${search.tried.join(', ')}: give --base`;
  return `it answers, but not as a CSE (${evidence}${remedy(view.status, view.headers.get('location'))})`;
}

function remedy(status: number | undefined, location: string | undefined): string {
  if (location !== undefined) return `, to ${quoted(location)}`;
  if (status === 401 || status === 407) return "; perhaps it wants a header: give -H 'Name: value'";
  return status === 403 ? '; perhaps it demands a client certificate: give --cert and --key' : '';
}
