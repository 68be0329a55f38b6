/** What a command tells, whatever it is written as: `terminal.ts`, `markdown.ts` and `html.tsx` print it. */
import type { ComponentChild } from 'preact';
import type { RequirementResult } from '../../scenarios/words.ts';
import type { Tone } from '../facts/wording.ts';

/** A piece of a sentence that looks otherwise than the rest. */
export interface Span {
  readonly text: string;
  readonly as?: 'code' | 'strong' | 'muted' | 'badge';
  readonly tone?: Tone;
  /** Id of the fold to which it leads on a page. */
  readonly to?: string;
  /** Address of another page, such as a clause of a public document. */
  readonly url?: string;
  /** Never cut short: it is of our own making. */
  readonly isWhole?: boolean;
}

export type Words = string | Span | ReadonlyArray<string | Span>;

/** A label, and each line about it. */
export type Fact = readonly [label: string, ...lines: Words[]];

/** What stands where a row and a column meet. */
export interface Cell {
  readonly mark?: string;
  readonly tone?: Tone;
  /** What the mark means, for those who do not see it. */
  readonly state?: string;
  readonly text: string;
  /** What a page shows after the text. */
  readonly more?: string;
}

export interface Row {
  readonly id: string;
  /** Before its name, where it is to be looked at. */
  readonly mark?: string;
  readonly says?: string;
  /** Whether a fold of this id is there to be led to. */
  readonly leads?: boolean;
  readonly level?: RequirementLevel;
  readonly cells: readonly (Cell | undefined)[];
}

export type RequirementLevel = RequirementResult['level'];

export interface Table {
  readonly kind: 'table';
  readonly caption?: string;
  /** Of each column beside the first; `label` is for where there is room. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly label?: string }>;
  readonly groups: ReadonlyArray<{ readonly title?: string; readonly rows: readonly Row[] }>;
  /** Cells are signs, with a few words each. */
  readonly signs?: { readonly legend: ReadonlyArray<readonly [mark: string, word: string, tone: Tone]> };
}

/** One of many of a kind, such as a requirement or a deviation: its head, and what is seen once it is opened. */
export interface Fold {
  readonly kind: 'fold';
  readonly id: string;
  readonly says: string;
  readonly mark?: string;
  readonly tone?: Tone;
  /** Such as its verdict: what the buttons of a page narrow by. */
  readonly state?: string;
  /** True where what it stands under tells its state. */
  readonly hidesState?: true;
  /** What a terminal tells after the state. */
  readonly note?: string | undefined;
  /** What a page shows at the end of its line. */
  readonly aside?: string;
  /** In place of the state, what buttons narrow by. */
  readonly narrowedBy?: string;
  readonly level?: RequirementLevel;
  readonly levels?: readonly RequirementLevel[];
  /** Where a link to it leads; none where it stands on the page once more. */
  readonly anchor?: string | false;
  /** On a page an article rather than something to be opened; then what its id leads to. */
  readonly isOpen?: boolean;
  readonly to?: string;
  readonly content: Content;
}

/** What is copied stays in one piece; of anything else a terminal shows so many lines at the `most`. */
export interface Code {
  readonly kind: 'code';
  readonly text: string;
  readonly label: string;
  readonly isCopied?: boolean;
  readonly most?: number;
  /** Lines, from 0. */
  readonly marked?: ReadonlySet<number>;
}

/** Where something is told alone; a page is always verbose. */
export type Medium = 'page' | 'text' | 'verbose' | 'brief';

/** One of a scenario. */
export interface DocumentStep {
  /** Counts from 1. */
  readonly number: number;
  readonly phase: string;
  readonly title: string;
  /** The one that all is told for. */
  readonly isLast?: boolean;
  readonly content: Content;
}

export type DocumentBlock =
  | { readonly kind: 'heading'; readonly text: string }
  /** One that is whole is not broken into lines, nor cut short: it is copied. */
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
      /** Leads to what stands below it. */
      readonly isIndex?: boolean;
      /** How many a terminal shows that is not to be verbose; ids stand beside each other there. */
      readonly most?: number;
      /** Items that can be searched for, of this level. */
      readonly ids?: RequirementLevel | 'any';
      /** Of a text: columns before ids. */
      readonly indent?: number;
    }
  | Code
  | { readonly kind: 'steps'; readonly steps: readonly DocumentStep[] }
  /** Of a page alone. */
  | { readonly kind: 'picture'; readonly node: ComponentChild }
  | { readonly kind: 'details'; readonly summary: Words; readonly isOpen?: boolean; readonly content: Content }
  /** A plain one holds nothing that a search narrows. */
  | { readonly kind: 'group'; readonly title: string; readonly content: Content; readonly isPlain?: boolean }
  | { readonly kind: 'only'; readonly on: Medium; readonly content: Content }
  | Table
  | Fold;

export type Of<Kind extends DocumentBlock['kind']> = Extract<DocumentBlock, { kind: Kind }>;

/** A string is a paragraph; what is absent, empty or false is left out. */
export type Content = DocumentBlock | string | false | undefined | readonly Content[];

/** A part of a document: on a page one of its tabs. */
export interface View {
  readonly key: string;
  readonly title: string;
  /** How many it holds; a page leaves it out with none. */
  readonly count: number;
  /** True where a search narrows nothing. */
  readonly isPlain?: true;
  /** True for what a page unpacks once it is read: long lists that the first views lead into. */
  readonly isPacked?: true;
  /** On a page alone, or where a text is to be verbose, or is not; told in all of them when absent. A page has every view. */
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
  /** False where nothing can be narrowed by it. */
  readonly narrows?: false;
  /** Told even where there are none. */
  readonly always?: boolean;
}

export interface Document {
  readonly title: string;
  /** What this is, in a few words. */
  readonly kind: string;
  readonly headline: string;
  /** What is said before anything else. */
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
    /** A page draws them beside each other rather than to tell each. */
    readonly isBar?: true;
  };
  /** What a page can be searched for: `label` for screen readers, `hint` in the empty box. */
  readonly search: { readonly label: string; readonly hint: string };
  readonly levels?: readonly RequirementLevel[];
  readonly views: readonly View[];
  /** Said where no view holds anything. */
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
export const fold = (
  id: string,
  says: string,
  look: Omit<Fold, 'kind' | 'id' | 'says' | 'content'>,
  content: Content,
) => ({ ...look, kind: 'fold', id, says, content }) satisfies Fold;

export const only = (on: Medium, ...content: Content[]): DocumentBlock => ({ kind: 'only', on, content });

/** Requests, one after the other. */
export function steps(items: readonly string[] = []): Content {
  const words = items.map((text): Span => ({ text, as: 'muted' }));
  return list(words, { isOrdered: true });
}

export function textOf(words: Words): string {
  if (typeof words === 'string') return words;
  return 'text' in words ? words.text : words.map(textOf).join('');
}
