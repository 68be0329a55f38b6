import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { unpack } from '../html/testing/unpack.ts';
import { renderPage } from './html.tsx';
import { fitParts, renderMarkdown } from './markdown.ts';
import { type Content, code, type Document, details, facts, heading, only, prose, steps } from './model.ts';
import { renderText } from './terminal.ts';
import { printed, printedPath } from './testing/every-block.ts';

const long = 'a sentence of some words that goes on and on, and does not fit into one line of a terminal';
const document: Document = {
  ...{ title: 'A page', kind: 'a test', headline: 'one <b> of two', tone: 'bad', lead: [long], alarms: ['it died'] },
  search: { label: 'Search', hint: 'Search' },
  counts: {
    ...{ title: 'Verdicts', of: 2 },
    each: [{ name: 'wrong', mark: '✗', tone: 'bad', says: 'wrong: as it is', count: 1 }],
  },
  views: [
    {
      ...{ key: 'one', title: 'One', on: 'brief', count: 1 },
      content: [
        {
          ...{ kind: 'fold', id: 'first', says: long, state: 'wrong', mark: '✗', tone: 'bad', note: 'noted' },
          content: [
            facts(['expected', 'this', 'or that'], false, ['actual', { text: '<i>\u001b[31m', tone: 'bad' }]),
            steps(['create', 'retrieve']),
            only('page', 'for a page'),
            only('text', 'for a text'),
            {
              kind: 'code',
              label: 'answer',
              text: Array.from({ length: 9 }, (_, at) => `line ${at}`).join('\n'),
              most: 4,
            },
            { kind: 'code', label: 'Command line', text: `curl ${'x'.repeat(100)}`, isCopied: true },
          ],
        },
        only('brief', '2 others hidden (-v shows all).'),
      ],
    },
    { key: 'all', title: 'All', on: 'verbose', count: 1, content: 'everything' },
    { key: 'none', title: 'None', on: 'page', count: 0, content: 'nothing of it' },
  ],
};
const text = (verbose: boolean) => renderText(document, { color: false, columns: 60, verbose });

test('a text says what alarms first and the headline last, and shows all only where that is asked for', () => {
  assert.match(text(false), /^† it died\n✗ first {2}wrong, noted\n {2}a sentence .*\n/);
  assert.match(text(false), /\n {2}expected {2}this\n {12}or that\n {2}actual {4}<i>\\x1b\[31m\n {3}1 {2}create\n/);
  assert.match(text(false), /\n2 others hidden \(-v shows all\)\.\n/);
  assert.match(text(false), /\nVerdicts\n {2}✗ {6}1 {5}50 % {2}wrong: as it is\n[\s\S]*\none <b> of two\.\n$/);
  assert.match(text(true), /^† it died\neverything\n/);
  assert.doesNotMatch(text(true), /first|for a page/);
});

test('lines of a text fit, save what is copied; of a message so many are shown', () => {
  const wide = text(false)
    .split('\n')
    .filter((line) => line.length > 60);
  assert.deepEqual(wide, [`  curl ${'x'.repeat(100)}`]);
  assert.match(text(false), /\n {2}answer {4}line 0\n {12}line 1\n {12}line 2\n {12}… \(62 characters in all\)\n/);
});

test('Markdown folds what holds messages, and keeps to its budget', () => {
  const markdown = renderMarkdown(document);
  assert.match(markdown, /^## it died\. one &lt;b&gt; of two\n\na test\n/);
  assert.match(markdown, /<details>\n<summary>✗ <code>first<\/code> a sentence/);
  assert.match(markdown, /- \*\*expected\*\* this; or that\n[\s\S]*for a text[\s\S]*```text\nline 0\n/);
  assert.doesNotMatch(markdown, /for a page|everything|nothing of it/);
  for (const budget of [200, 300, 400]) assert.ok(renderMarkdown(document, budget).length <= budget, String(budget));
});

test('a page has each view that holds something, and nothing of it becomes markup', () => {
  const page = unpack(renderPage(document));
  assert.match(page, /<p><strong>it died<\/strong><\/p><h1>one &lt;b> of two<\/h1>/);
  assert.match(page, /<summary id="first"><b class="badge bad">✗ wrong<\/b>/);
  assert.match(page, /<dt>actual<\/dt><dd><div><span class="toned bad">&lt;i>\\x1b\[31m<\/span>/);
  assert.ok(page.includes('for a page') && page.includes('everything') && page.includes('line 8'));
  assert.doesNotMatch(page, /for a text|nothing of it|others hidden/);
  assert.match(page, /data-filter-verdict="wrong"/);
});

/** One view of what is told briefly. */
function withContent(content: Content): Document {
  const views = [{ ...{ key: 'one', title: 'One', on: 'brief' as const, count: 1 }, content }];
  return {
    ...{
      title: 'A page',
      kind: 'a test',
      headline: 'one',
      tone: 'good',
      lead: [],
      search: { label: 'Search', hint: 'Search' },
    },
    views,
  };
}

test('a page has nothing of what its document leaves out', () => {
  const page = unpack(renderPage(withContent([heading('H'), prose({ text: 'seen', tone: 'seen' })])));
  assert.match(page, /<\/div><h1>one<\/h1><\/header><main><search class="filters"><label .*<\/label><\/search><div/);
  assert.match(
    page,
    /<\/h2><h3 class="heading">H<\/h3><p><span class="toned seen">seen<\/span><\/p><p class="nothing"/,
  );
  const text = renderText(withContent(prose({ text: 'seen', tone: 'seen' })), {
    color: true,
    columns: 60,
    verbose: false,
  });
  assert.match(text, /^seen\n\n/);
});

test('Markdown lists what a fold without messages holds, and joins cells that hold something', () => {
  const columns = [{ name: 'A' }, { name: 'B' }, { name: 'C' }];
  const cells = [undefined, { mark: '✓', text: 'good' }, { text: 'bare' }];
  const markdown = renderMarkdown(
    withContent([
      { kind: 'fold', id: 'first', says: 'says', content: [facts(['expected', 'this']), 'a sentence'] },
      { kind: 'table', columns, groups: [{ title: 'some', rows: [{ id: 'a.row', cells }] }] },
    ]),
  );
  assert.match(markdown, /^- `first`: says\n {2}- \*\*expected\*\* this\n {2}- a sentence$/m);
  assert.match(markdown, /^\| \*\*some\*\* \| \| \| \|\n\| `a\.row` \| {2}\| ✓ good \| bare \|$/m);
  assert.doesNotMatch(markdown, /<details>/);
});

test('a text as long as the limit is whole, and a longer one is cut', () => {
  const [markdown, terminal] = [400, 800];
  assert.match(renderMarkdown(withContent('x'.repeat(markdown))), /^x{400}$/m);
  assert.match(renderMarkdown(withContent('x'.repeat(markdown + 1))), /^x{399,400}…$/m);
  const shown = (length: number) =>
    renderText(withContent(`${'x '.repeat(length / 2 - 1)}yz`), { color: false, columns: 80, verbose: false });
  assert.doesNotMatch(shown(terminal), /characters\)/);
  assert.match(shown(terminal + 2), /… \(802 characters\)/);
});

test('what is left out is counted by its name, and columns of two letters are figures', () => {
  assert.match(renderMarkdown({ ...withContent(''), lead: [long] }, 110), /\nAnd 1 more sentence, left out here\.\n/);
  const shown = (content: Content) => renderText(withContent(content), { color: false, columns: 60, verbose: false });
  const rows = [{ id: 'a', cells: [{ text: '1' }] }];
  assert.match(shown({ kind: 'table', columns: [{ name: 'of' }], groups: [{ rows }] }), /^ {2}a {32}1$/m);
  assert.match(shown(prose({ text: 'x '.repeat(401), tone: 'bad' })), /… \(802 characters\)/);
});

test('a message fills the line of a terminal, of which it has 20 columns at least', () => {
  const shown = (content: Content, columns: number) =>
    renderText(withContent(content), { color: false, columns, verbose: false });
  const message = code('answer', 'x'.repeat(52));
  assert.match(shown(message, 60), /^answer {4}x{50}\n {10}xx$/m);
  const deep = ['a', 'b', 'c', 'd', 'e', 'f'].reduce<Content>((within, name) => details(name, within), message);
  assert.match(shown(deep, 40), /^ {12}answer {4}x{20}\n {22}x{20}\n {22}x{12}$/m);
});

test('parts of Markdown fill their budget to the byte', () => {
  const part = { head: 'é', entries: ['one', 'two'], leftOut: (count: number) => `${count} left`, after: '!' };
  const frame = 3 + 80;
  const all = frame + 2 * 4;
  assert.equal(fitParts([part, part], 2 * all), 'é\none\ntwo!\n\né\none\ntwo!\n');
  assert.equal(fitParts([part, part], 2 * all - 1), 'é\none\ntwo!\n\né\none\n\n1 left!\n');
  assert.equal(fitParts([part, part], all + frame - 1), 'é\none\ntwo!\n');
  assert.equal(fitParts([{ ...part, head: '', after: '' }], 80), '\n2 left\n');
});

for (const [name, print] of printed) {
  test(`each kind of block is printed as in ${name}`, () => {
    assert.equal(print(), readFileSync(printedPath(name), 'utf8'));
  });
}
