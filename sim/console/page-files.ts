/** The files of the page, read once: it is plain HTML, CSS and JavaScript modules, and preact as it is installed. */
import { readFileSync } from 'node:fs';

export interface PageFile {
  readonly type: string;
  readonly text: string;
}

const here = new URL('./page/', import.meta.url);

const scripts = [
  ...['app', 'action-form', 'actions', 'board', 'breakage', 'clock', 'content', 'details', 'deviation-list', 'frames'],
  ...[
    'installation',
    'list',
    'live',
    'message-row',
    'plot',
    'requests',
    'state',
    'switch',
    'templates',
    'time',
    'traffic',
    'tree',
  ],
  ...['tree-model', 'words'],
];

/** By their paths. `token` is written into the page. */
export function pageFiles(token: string): ReadonlyMap<string, PageFile> {
  const page = readFileSync(new URL('index.html', here), 'utf8').replace('{{token}}', token);
  const style = ['colours', 'layout', 'parts', 'sequence', 'panel', 'narrow'].map((name) =>
    readFileSync(new URL(`${name}.css`, here), 'utf8'),
  );
  return new Map<string, PageFile>([
    ['/', { type: 'text/html; charset=utf-8', text: page }],
    ['/style.css', { type: 'text/css; charset=utf-8', text: style.join('\n') }],
    ['/icon.svg', { type: 'image/svg+xml', text: readFileSync(new URL('icon.svg', here), 'utf8') }],
    ['/preact.js', scriptAt(new URL(import.meta.resolve('preact')))],
    ...scripts.map((name) => [`/${name}.js`, scriptAt(new URL(`${name}.js`, here))] as const),
  ]);
}

function scriptAt(url: URL): PageFile {
  const text = readFileSync(url, 'utf8').replace(/\n\/\/# sourceMappingURL=.*/, '');
  return { type: 'text/javascript; charset=utf-8', text };
}
