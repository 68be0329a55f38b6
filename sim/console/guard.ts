/** Who may use the console: the page that it has served itself, in a browser of this machine. */
import type { IncomingMessage } from 'node:http';
import { isSameToken, newToken } from '../token.ts';

/** Name of the header by which the page shows that it has read the token. */
export const tokenHeader = 'x-cselab-token';

/** Nothing from elsewhere, nothing inline, no frame around it. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

export interface Guard {
  /** Written into the page; a page of another origin cannot read it. */
  readonly token: string;
  /** Why the request is refused; undefined where it is not. */
  objectionTo(request: Pick<IncomingMessage, 'method' | 'headers'>): string | undefined;
}

/** `port`: at which the console listens. A name that leads to this machine by DNS rebinding is no name of the console. */
export function guardOf(port: () => number): Guard {
  const token = newToken();
  const isOwnHost = (host: string) => ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port()}`);
  return {
    token,
    objectionTo({ method, headers }) {
      const { host = '', origin, 'sec-fetch-site': site } = headers;
      if (!isOwnHost(host)) return 'The console is reached at 127.0.0.1 or localhost only.';
      if (origin !== undefined && origin !== `http://${host}`) return 'A page of another origin may not do this.';
      if (method === 'GET' || method === 'HEAD') {
        // A link from elsewhere may lead to the page; nothing else may be loaded from there.
        const isOwn = site === undefined || site === 'same-origin' || site === 'none';
        return isOwn || headers['sec-fetch-mode'] === 'navigate'
          ? undefined
          : 'A page of another origin may not read this.';
      }
      return isSameToken(headers[tokenHeader], token)
        ? undefined
        : 'The token of the page is missing; load the page anew.';
    },
  };
}
