/** The console over HTTP: the files of its page, and its API. */
import { pageFilesOf, servePage } from '../web/page-server.ts';
import type { Console } from './console.ts';
import { actionRoutes, readRoutes } from './console-routes.ts';

const sources = {
  title: 'cselab console',
  folder: new URL('./page/', import.meta.url),
  styles: ['parts', 'layout', 'sequence', 'panel'],
};

/** Rejects as `servePage` does. */
export async function serveConsole(options: Console, port: number): ReturnType<typeof servePage> {
  const { events, onError } = options;
  const [reads, actions] = [readRoutes(options), actionRoutes(options)];
  return servePage({ name: 'console', files: await pageFilesOf(sources), reads, actions, events, onError }, port);
}
