/** The console over HTTP: the files of its page, and what that reads and does. */
import { existsSync, readFileSync } from 'node:fs';
import { type PageFile, pageScript, servePage } from '../web/page-server.ts';
import type { Console } from './console.ts';
import { doings, readings } from './console-routes.ts';

/** As a page is served. */
export async function serveConsole(options: Console, port: number): ReturnType<typeof servePage> {
  const { events, onError } = options;
  const [reads, does] = [readings(options), doings(options)];
  return servePage({ name: 'console', files: await pageFiles(), reads, does, events, onError }, port);
}

const here = new URL('./page/', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, here), 'utf8');

/** By their paths, read once: plain HTML and CSS, and one script. */
async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const style = ['colours', 'base'].map((name) => textOf(`../../web/${name}.css`));
  style.push(...['parts', 'layout', 'sequence', 'panel'].map((name) => textOf(`${name}.css`)));
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', text: textOf('index.html') }],
    ['/style.css', { type: 'text/css; charset=utf-8', text: style.join('\n') }],
    ['/icon.svg', { type: 'image/svg+xml', text: textOf('icon.svg') }],
    ['/app.js', { type: 'text/javascript; charset=utf-8', text: await script() }],
  ]);
}

let bundled: Promise<string> | undefined;

/** The package has it beside its other files; from the sources it is made, once in a process. */
function script(): Promise<string> {
  bundled ??= existsSync(new URL('app.js', here))
    ? Promise.resolve(textOf('app.js'))
    : pageScript(new URL('app.tsx', here));
  return bundled;
}
