/**
 * For tests: a document with each kind of block in each of its forms, and how it is printed. `node --import tsx
 * reports/document/testing/every-block.ts` writes that anew; look at what is another then.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { h } from 'preact';
import { unpack } from '../../html/testing/unpack.ts';
import { renderPage } from '../html.tsx';
import { renderMarkdown } from '../markdown.ts';
import {
  blank,
  code,
  type Document,
  details,
  facts,
  fold,
  group,
  heading,
  list,
  muted,
  only,
  prose,
  type Span,
  steps,
  type Table,
} from '../model.ts';
import { renderText } from '../terminal.ts';

const sentence = 'A sentence of so many words that no line of a terminal holds it, however wide that is.';
const count = (name: string, number: number, more: object = {}) => ({
  ...{ name, mark: name.slice(0, 1), tone: 'bad' as const, says: `${name}: what it means`, count: number, ...more },
});

const spans: readonly Span[] = [
  { text: 'code', as: 'code' },
  { text: ' strong', as: 'strong' },
  { text: ' muted', as: 'muted' },
  { text: ' badge', as: 'badge', tone: 'open' },
  { text: ' toned', tone: 'good' },
  { text: ' link', to: 'first', as: 'code' },
  { text: ' bare', to: 'first' },
  { text: ' clause', url: 'https://example.org/1' },
];

const figures: Table = {
  ...{ kind: 'table', caption: 'Figures', columns: [{ name: 'first' }, { name: 'second' }] },
  groups: [{ rows: [{ id: 'one', cells: [{ text: '1' }, undefined] }] }, { rows: [{ id: 'x'.repeat(33), cells: [] }] }],
};
const wide: Table = {
  ...{ kind: 'table', columns: [{ name: 'A' }, { name: 'B' }] },
  groups: [
    {
      title: 'Some',
      rows: [
        { id: 'a name that is long', mark: '!', cells: [{ text: sentence }, { text: '日本' }] },
        { id: 'short', cells: [undefined, { mark: '✓', text: 'well' }] },
      ],
    },
  ],
};
const signs: Table = {
  ...{ kind: 'table', columns: [{ name: 'A', label: 'first' }, { name: 'B' }] },
  signs: {
    legend: [
      ['✓', 'kept', 'good'],
      ['✗', 'broken', 'bad'],
    ],
  },
  groups: [
    {
      title: 'Group',
      rows: [
        {
          ...{ id: 'same', says: 'says', leads: true, level: 'gap' },
          cells: [
            { mark: '✓', tone: 'good', state: 'kept', text: 'so' },
            { mark: '✓', tone: 'good', text: 'so' },
          ],
        },
        { id: 'other', cells: [{ mark: '✗', tone: 'bad', text: 'this', more: 'and more' }, undefined] },
      ],
    },
  ],
};

const messages = [
  code('answer', Array.from({ length: 6 }, (_, at) => `${at} ${'y'.repeat(at * 12)}`).join('\n'), { most: 4 }),
  code('marked', 'a\nb', { marked: new Set([1]) }),
  code('Command line', 'curl x\n  y', { isCopied: true }),
];

const blocks = [
  heading('Heading'),
  prose(spans, '* ', { tone: 'open' }),
  ...[prose({ text: 'bold', as: 'strong', tone: 'bad' }), prose({ text: sentence, isWhole: true }), blank],
  ...[muted(sentence, '  '), prose(sentence, '> ', { isWhole: true })],
  facts(['a', 'short label']),
  facts(['expected', 'this', sentence], undefined, ['seen', { text: 'that', tone: 'bad' }]),
  list(['one', { text: 'two', as: 'code' }, 'three'], { most: 2 }),
  list(['one', 'two'], { isOrdered: true, isIndex: true }),
  list(['a.b', 'a.c', 'a.d'], { ids: 'gap', most: 2, indent: 4 }),
  list(['a.e'], { ids: 'any' }),
  steps(['create', 'retrieve']),
  ...messages,
  details(['details ', { text: 'of', as: 'strong' }], ['within', list(['an item'])], true),
  ...[group('A group', [fold('calm', 'in it', { state: 'kept', mark: '✓', tone: 'good' }, [])]), figures, wide, signs],
  { ...group('Plain', 'words'), isPlain: true } as const,
  group(
    'Failed',
    fold('first', sentence, { state: 'broken', mark: '✗', tone: 'bad', note: 'noted', level: 'gap' }, [
      facts(['a', 'b']),
    ]),
  ),
  fold('bare', '', { aside: 'aside', anchor: false, levels: ['gap', 'standard'], narrowedBy: 'all' }, messages[1]),
  fold(
    'open',
    'an article',
    { isOpen: true, to: 'first', anchor: 'there', state: 'broken', hidesState: true, mark: '✗' },
    'all of it',
  ),
  fold('open 2', '', { isOpen: true, level: 'standard' }, undefined),
  { kind: 'picture', node: h('svg', {}) } as const,
  only('page', 'page'),
  only('text', 'text'),
  only('verbose', 'verbose'),
  only('brief', 'brief'),
  {
    kind: 'steps',
    steps: [
      { number: 1, phase: 'given', title: 'made', content: 'well' },
      { number: 2, phase: '', title: sentence, isLast: true, content: [messages[2]] },
    ],
  } as const,
];

export const everyBlock: Document = {
  ...{
    title: 'Title',
    kind: 'kind <i>',
    headline: 'Headline',
    alarms: ['alarm'],
    tone: 'bad',
    lead: ['lead one', 'lead two'],
  },
  ...{
    facts: [
      ['fact', 'one'],
      ['facts', 'one', 'two'],
    ],
    intro: 'intro',
    levels: ['gap', 'standard', 'gap'],
  },
  counts: {
    ...{ title: 'Counts', of: 1_300 },
    each: [
      count('broken', 1_200),
      count('none', 0),
      count('always', 0, { always: true }),
      count('kept', 100, { narrows: false }),
    ],
  },
  search: { label: 'Search', hint: 'hint' },
  views: [
    { key: 'told', title: 'Told', count: 3, content: blocks },
    { key: 'page', title: 'Page', count: 1, isPlain: true, isPacked: true, on: 'page', content: 'on a page' },
    { key: 'verbose', title: 'Verbose', count: 1, on: 'verbose', content: 'everything' },
    { key: 'brief', title: 'Brief', count: 1, on: 'brief', content: ['the rest', blank] },
    { key: 'empty', title: 'Empty', count: 0, content: undefined },
  ],
};
const bar: Document = {
  ...everyBlock,
  views: [],
  levels: ['gap'],
  nothing: 'nothing',
  counts: { ...everyBlock.counts, isBar: true } as NonNullable<Document['counts']>,
};

const screen = { color: false, columns: 60, verbose: false };

/** As it is printed, by the name of the file that holds it. */
export const printed: ReadonlyMap<string, () => string> = new Map([
  ['brief.txt', () => renderText(everyBlock, screen)],
  ['verbose.txt', () => renderText(everyBlock, { ...screen, columns: 10, verbose: true })],
  ['colours.txt', () => renderText(everyBlock, { ...screen, columns: 80, color: true }).replaceAll('\u001b', '␛')],
  ['nothing.txt', () => renderText(bar, screen)],
  ['whole.md', () => renderMarkdown(everyBlock)],
  ['cut.md', () => renderMarkdown(everyBlock, 1_200)],
  ['page.html', () => bodyOf(everyBlock)],
  ['bar.html', () => bodyOf(bar)],
]);

/** What is in the page, an element a line. */
function bodyOf(document: Document): string {
  const page = unpack(renderPage(document));
  return page.slice(page.indexOf('<body'), page.indexOf('</main>')).replace(/></g, '>\n<');
}

export const printedPath = (name: string): string => fileURLToPath(new URL(`printed/${name}`, import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, print] of printed) writeFileSync(printedPath(name), print());
