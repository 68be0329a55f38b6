// @ts-check
/** What the report does when it is read: views, search, filters, links, folded content, copying, the theme. */

/** @typedef {{ element: HTMLElement, verdict: string, levels: string[], panel: HTMLElement }} Item */

const tabs = all('[role=tab]');
const panels = all('[role=tabpanel]');
const search = /** @type {HTMLInputElement} */ (document.getElementById('search'));
/** What can be searched for and narrowed. */
const itemSelector = '.row, article, .ids.many > li, .matrix tbody > tr:not(.section)';
/** @type {Item[]} */
let items = [];

/**
 * @param {string} selector
 * @param {ParentNode} within
 * @returns {HTMLElement[]}
 */
function all(selector, within = document) {
  return /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
}

// Views

/** @param {HTMLElement | undefined} panel */
function show(panel) {
  if (panel === undefined) return;
  for (const other of panels) other.hidden = other !== panel;
  for (const tab of tabs) {
    const selected = tab.getAttribute('aria-controls') === panel.id;
    tab.setAttribute('aria-selected', String(selected));
    tab.tabIndex = selected ? 0 : -1;
  }
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener('click', () => show(panels[index]));
  tab.addEventListener('keydown', (event) => {
    /** @type {Record<string, number>} */
    const goals = { ArrowRight: index + 1, ArrowLeft: index - 1 + tabs.length, Home: 0, End: tabs.length - 1 };
    const goal = goals[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    const next = tabs[goal % tabs.length];
    next?.focus();
    next?.click();
  });
}

// Search and filters

/**
 * @param {'verdict' | 'level'} kind
 * @returns {string[]}
 */
function pressed(kind) {
  return all(`[data-filter-${kind}][aria-pressed=true]`).map(
    (button) => button.getAttribute(`data-filter-${kind}`) ?? '',
  );
}

/** What a search looks into, made when the first one begins: sentences, ids and paths, without messages. @type {Map<HTMLElement, string> | undefined} */
let searchTexts;

async function readTexts() {
  const folded = await content().catch(() => []);
  searchTexts = new Map(
    items.map(({ element }) => {
      const template = element.querySelector(':scope > template');
      const part = template instanceof HTMLElement ? folded[Number(template.dataset.part)] : '';
      return [element, wordsIn(element.outerHTML + part)];
    }),
  );
}

/** @param {string} markup */
function wordsIn(markup) {
  const targets = [...markup.matchAll(/ href=.#([^"]*)"/g)].map(([, target]) => target);
  const text = markup.replace(/<pre>[\s\S]*?<\/pre>/g, '').replace(/<[^>]*>/g, ' ');
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return `${plain} ${targets.join(' ')}`.toLowerCase();
}

async function applyFilters() {
  if (search.value.trim() !== '' && searchTexts === undefined) await readTexts();
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const verdicts = pressed('verdict');
  const levels = pressed('level');
  for (const { element, verdict, levels: own } of items) {
    const text = searchTexts?.get(element) ?? '';
    element.hidden = !(
      words.every((word) => text.includes(word)) &&
      (verdicts.length === 0 || verdicts.includes(verdict)) &&
      (levels.length === 0 || own.some((level) => levels.includes(level)))
    );
  }
  const isNarrowed = words.length + verdicts.length + levels.length > 0;
  for (const group of all('[data-group]')) {
    group.hidden = group.querySelector(`:is(${itemSelector}):not([hidden])`) === null;
    if (group instanceof HTMLDetailsElement) group.open = isNarrowed || group.dataset.group === 'open';
  }
  for (const [index, panel] of panels.entries()) countMatches(panel, tabs[index]);
  const current = panels.find((panel) => !panel.hidden);
  const status = document.getElementById('matches');
  if (status !== null && current !== undefined) status.textContent = `${matchesIn(current)} shown`;
}

/** @param {HTMLElement} panel */
function matchesIn(panel) {
  return items.filter((item) => item.panel === panel && !item.element.hidden).length;
}

/**
 * @param {HTMLElement} panel
 * @param {HTMLElement | undefined} tab
 */
function countMatches(panel, tab) {
  const matches = matchesIn(panel);
  const count = tab?.querySelector('.count');
  if (count) count.textContent = String(matches);
  for (const note of all('.nothing', panel)) note.hidden = matches > 0;
}

function showEverything() {
  search.value = '';
  for (const button of all('[aria-pressed]')) button.setAttribute('aria-pressed', 'false');
  applyFilters();
}

search.addEventListener('input', applyFilters);
for (const button of all('[aria-pressed]')) {
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
    applyFilters();
  });
}
for (const button of all('.nothing button')) button.addEventListener('click', showEverything);

// Folded content: it waits in templates, so that long reports open quickly; what they hold is compressed, all of it in one more.

/** @type {Promise<string[]> | undefined} */
let unpacking;

/** Of each template, by its number. @returns {Promise<string[]>} */
function content() {
  unpacking ??= unpack();
  return unpacking;
}

/** @returns {Promise<string[]>} */
async function unpack() {
  const packed = document.getElementById('folded');
  const text = packed instanceof HTMLTemplateElement ? (packed.content.textContent ?? '') : '';
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  /** @type {{ parts: string[], phrases: string[] }} */
  const { parts, phrases } = JSON.parse(await new Response(stream).text());
  return parts.map((part) => part.replace(/\x7f(.)/gs, (_, sign) => phrases[sign.charCodeAt(0) - 32] ?? ''));
}

/** @param {Element} parent */
async function unfold(parent) {
  const template = parent.querySelector(':scope > template');
  if (!(template instanceof HTMLTemplateElement)) return;
  try {
    template.innerHTML = (await content())[Number(template.dataset.part)] ?? '';
    const id = parent.querySelector('summary')?.id;
    for (const step of template.content.querySelectorAll('.steps > li'))
      step.id = `${id}:${step.getAttribute('value')}`;
    template.replaceWith(template.content);
  } catch {
    template.replaceWith('This browser cannot unpack what is folded here; a newer one can.');
  }
}

document.addEventListener(
  'toggle',
  (event) => {
    if (event.target instanceof HTMLDetailsElement && event.target.open) unfold(event.target);
  },
  true,
);

// Links

async function followHash() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id === '') return;
  // A step stands in the folded content of its scenario, whose id is the step's without its number.
  const row = document.getElementById(id) ?? document.getElementById(id.replace(/:\d+$/, ''));
  const panel = panels.find((candidate) => candidate.contains(row));
  if (row === null || panel === undefined) return;
  if (row.closest('[hidden]:not([role])') !== null) showEverything();
  show(panel);
  row.closest('details.group')?.setAttribute('open', '');
  const details = row.closest('details.row');
  if (details instanceof HTMLDetailsElement) {
    await unfold(details);
    details.open = true;
  }
  const goal = document.getElementById(id) ?? row;
  goal.scrollIntoView({ block: 'start' });
  // In a frame the page around it keeps the focus.
  if (document.hasFocus()) goal.focus({ preventScroll: true });
}

addEventListener('hashchange', followHash);
// The same link once more changes nothing in the address, but should lead there again.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (link !== null && link.getAttribute('href') === location.hash) followHash();
});

// Keyboard

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !typing) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === 'Escape') {
    showEverything();
    if (typing) search.blur();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    moveAlongRows(event, typing);
  }
}

/**
 * @param {KeyboardEvent} event
 * @param {boolean} typing
 */
function moveAlongRows(event, typing) {
  const picture = document.activeElement?.closest('.sequence');
  const summaries = all('[role=tabpanel]:not([hidden]) :is(.group, .row):not([hidden]) > summary').filter(
    (summary) => summary.parentElement?.parentElement?.closest('details:not([open])') === null,
  );
  const rows = picture ? all('a', picture) : summaries;
  const index = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (index < 0 && !typing) return;
  const next = rows[index + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

document.addEventListener('keydown', onKey);

// Of a picture the Tab key reaches one message, from which arrow keys go on. Its step is marked.
document.addEventListener('focusin', ({ target }) => {
  const message = target instanceof Element ? target.closest('.sequence a') : null;
  if (message === null) return;
  for (const one of all('a', message.closest('.sequence') ?? message))
    one.setAttribute('tabindex', one === message ? '0' : '-1');
  for (const step of all('.steps > .current')) step.classList.remove('current');
  document.getElementById(message.getAttribute('href')?.slice(1) ?? '')?.classList.add('current');
});

// Copying and the theme

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button.copy') : null;
  const source = button?.closest('figure')?.querySelector('pre');
  if (!button || !source) return;
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    // Without leave to write to the clipboard, the text is at least selected.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
});

document.getElementById('theme')?.addEventListener('click', () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
});

// Long lists are unpacked at once; then all that can be searched for is there.
await Promise.all(panels.map(unfold));
items = panels.flatMap((panel) =>
  all(itemSelector, panel).map((element) => ({
    element,
    verdict: element.dataset.verdict ?? element.querySelector('.badge')?.textContent?.slice(2) ?? '',
    levels: (element.dataset.level ?? '').split(' '),
    panel,
  })),
);
followHash();
