/** The output of a command, for all formats: `terminal.ts`, `markdown.ts` and `html.tsx` print it. */
import type { ComponentChild } from 'preact';
import type { RequirementResult } from '../../scenarios/words.ts';
import { groupedBy, type Tone } from '../facts/wording.ts';

/** A styled piece of a sentence. */
export interface Span {
  readonly text: string;
  readonly as?: 'code' | 'strong' | 'muted' | 'badge';
  readonly tone?: Tone;
  /** Id of the fold that it links to on a page. */
  readonly to?: string;
  /** Address of another page, such as a clause of a public document. */
  readonly url?: string;
  /** Never cut short: it is our own text. */
  readonly isWhole?: boolean;
}

export type Words = string | Span | ReadonlyArray<string | Span>;

/** A label, and each line about it. */
export type Fact = readonly [label: string, ...lines: Words[]];

/** A cell of a table. */
export interface Cell {
  readonly mark?: string;
  readonly tone?: Tone;
  /** The meaning of the mark, for screen readers. */
  readonly state?: string;
  readonly text: string;
  /** What a page shows after the text. */
  readonly more?: string;
}

export interface Row {
  readonly id: string;
  /** Before its name, if it deserves attention. */
  readonly mark?: string;
  readonly says?: string;
  /** Whether it links to a fold of this id. */
  readonly leads?: boolean;
  readonly level?: RequirementLevel;
  readonly cells: readonly (Cell | undefined)[];
}

export type RequirementLevel = RequirementResult['level'];

export interface Table {
  readonly kind: 'table';
  readonly caption?: string;
  /** All columns except the first; `label` is the long name. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly label?: string }>;
  readonly groups: ReadonlyArray<{ readonly title?: string; readonly rows: readonly Row[] }>;
  /** Cells are signs, with a few words each. */
  readonly signs?: { readonly legend: ReadonlyArray<readonly [mark: string, word: string, tone: Tone]> };
}

/** An entry, such as a requirement or a deviation: its head, and the content that opens below. */
export interface Fold {
  readonly kind: 'fold';
  readonly id: string;
  readonly says: string;
  readonly mark?: string;
  readonly tone?: Tone;
  /** Such as its verdict, by which the buttons of a page filter. */
  readonly state?: string;
  /** True if the heading above tells its state. */
  readonly hidesState?: true;
  /** What a terminal prints after the state. */
  readonly note?: string | undefined;
  /** What a page shows at the end of its line. */
  readonly aside?: string;
  /** The buttons filter by this in place of the state. */
  readonly narrowedBy?: string;
  readonly level?: RequirementLevel;
  readonly levels?: readonly RequirementLevel[];
  /** Its anchor; none for a repetition on the page. */
  readonly anchor?: string | false;
  /** On a page an article that is always open; then `to` is the target of its id. */
  readonly isOpen?: boolean;
  readonly to?: string;
  readonly content: Content;
}

/** Copied text stays whole; of others a terminal shows at most `most` lines. */
export interface Code {
  readonly kind: 'code';
  readonly text: string;
  readonly label: string;
  readonly isCopied?: boolean;
  readonly most?: number;
  /** Lines, from 0. */
  readonly marked?: ReadonlySet<number>;
}

/** The only place where content is shown; a page is always verbose. */
export type Medium = 'page' | 'text' | 'verbose' | 'brief';

/** A step of a scenario. */
export interface DocumentStep {
  /** Counts from 1. */
  readonly number: number;
  readonly phase: string;
  readonly title: string;
  /** The step that is explained. */
  readonly isLast?: boolean;
  readonly content: Content;
}

export type DocumentBlock =
  | { readonly kind: 'heading'; readonly text: string }
  /** `isWhole`: neither wrapped nor cut, since it is copied. */
  | {
      readonly kind: 'prose';
      readonly words: Words;
      readonly sign?: string;
      /** Of the sign. */
      readonly tone?: Tone;
      readonly isWhole?: boolean;
    }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'list';
      readonly items: readonly Words[];
      readonly isOrdered?: boolean;
      /** A list of links to the content below. */
      readonly isIndex?: boolean;
      /** How many a brief terminal shows; ids share lines there. */
      readonly most?: number;
      /** Searchable items, of this level. */
      readonly ids?: RequirementLevel | 'any';
      /** In a text: columns before ids. */
      readonly indent?: number;
    }
  | Code
  | { readonly kind: 'steps'; readonly steps: readonly DocumentStep[] }
  /** On a page only. */
  | { readonly kind: 'picture'; readonly node: ComponentChild }
  | { readonly kind: 'details'; readonly summary: Words; readonly isOpen?: boolean; readonly content: Content }
  /** `isPlain`: not filtered by a search. */
  | { readonly kind: 'group'; readonly title: string; readonly content: Content; readonly isPlain?: boolean }
  | { readonly kind: 'only'; readonly on: Medium; readonly content: Content }
  | Table
  | Fold;

export type Of<Kind extends DocumentBlock['kind']> = Extract<DocumentBlock, { kind: Kind }>;

/** A string is a paragraph; undefined, empty or false is left out. */
export type Content = DocumentBlock | string | false | undefined | readonly Content[];

/** A part of a document: on a page one of its tabs. */
export interface View {
  readonly key: string;
  readonly title: string;
  /** Number of entries; a page leaves out views without any. */
  readonly count: number;
  /** Not filtered by a search. */
  readonly isPlain?: true;
  /** Unpacked when it is first read, for long lists that the first views link to. */
  readonly isPacked?: true;
  /** Only on a page, or in a verbose or brief text; by default everywhere. A page has every view. */
  readonly on?: 'page' | 'verbose' | 'brief';
  readonly content: Content;
}

export interface Count {
  readonly name: string;
  readonly mark: string;
  readonly tone: Tone;
  /** What the name means. */
  readonly says: string;
  readonly count: number;
  /** False if it filters nothing. */
  readonly narrows?: false;
  /** Shown even for none. */
  readonly always?: boolean;
}

export interface Document {
  readonly title: string;
  /** What this is, in a few words. */
  readonly kind: string;
  readonly headline: string;
  /** Warnings before anything else. */
  readonly alarms?: readonly string[];
  readonly tone: Tone;
  readonly lead: readonly string[];
  /** Facts of the head of a page. */
  readonly facts?: readonly Fact[];
  /** Stands before everything else. */
  readonly intro?: Content;
  readonly counts?: {
    readonly title: string;
    readonly of: number;
    readonly each: readonly Count[];
    /** A page draws them as one bar. */
    readonly isBar?: true;
  };
  /** What a page can be searched for: `label` for screen readers, `hint` in the empty box. */
  readonly search: { readonly label: string; readonly hint: string };
  readonly levels?: readonly RequirementLevel[];
  readonly views: readonly View[];
  /** Text if all views are empty. */
  readonly nothing?: string;
}

export function facts(...all: ReadonlyArray<Fact | false | undefined>): DocumentBlock | undefined {
  const present = all.filter((one) => one !== false && one !== undefined);
  return present.length === 0 ? undefined : { kind: 'facts', facts: present };
}

export const heading = (text: string): DocumentBlock => ({ kind: 'heading', text });
export const prose = (words: Words, sign = '', more: Pick<Of<'prose'>, 'tone' | 'isWhole'> = {}): DocumentBlock => ({
  ...{ kind: 'prose', words, sign, ...more },
});
export const muted = (text: string, sign = ''): DocumentBlock => prose({ text, as: 'muted' }, sign);
export const blank = prose('');
export const list = (items: readonly Words[], more: Partial<Of<'list'>> = {}): Content =>
  items.length > 0 && { kind: 'list', items, ...more };
export const code = (label: string, text: string, more: Partial<Code> = {}): Code => ({
  ...{ kind: 'code', label, text, ...more },
});
export const details = (summary: Words, content: Content, isOpen = false): DocumentBlock => ({
  ...{ kind: 'details', summary, content, isOpen },
});
export const group = (title: string, content: Content): DocumentBlock => ({ kind: 'group', title, content });
/** A group for each title, in the order of the first of each. */
export const groupsBy = <One>(all: readonly One[], titleOf: (one: One) => string, of: (one: One) => Content): Content =>
  [...groupedBy(all, titleOf)].map(([title, own]) => group(title, own.map(of)));
export const fold = (
  id: string,
  says: string,
  look: Omit<Fold, 'kind' | 'id' | 'says' | 'content'>,
  content: Content,
) => ({ ...look, kind: 'fold', id, says, content }) satisfies Fold;

export const only = (on: Medium, ...content: Content[]): DocumentBlock => ({ kind: 'only', on, content });

/** A numbered list of requests. */
export function steps(items: readonly string[] = []): Content {
  const words = items.map((text): Span => ({ text, as: 'muted' }));
  return list(words, { isOrdered: true });
}

export function textOf(words: Words): string {
  if (typeof words === 'string') return words;
  return 'text' in words ? words.text : words.map(textOf).join('');
}
