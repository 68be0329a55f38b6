/** The base URL of an intercepted CSE. */

/** A URL, taken apart. */
export interface ParsedUrl {
  /** Without a slash at its end. */
  readonly href: string;
  readonly url: URL;
  /** The prefix of the CSE's own paths: '', or `/gateway`. */
  readonly prefix: string;
}

/**
 * Parses a URL such as `http://gateway.example:8080`; a relative one starts at the page's. Throws a TypeError for an invalid one, and
 * for one that ends with the name of the CSE base, which belongs to the addresses of resources.
 */
export function locationOf(baseUrl: string, base: string): ParsedUrl {
  const page = pageUrl();
  const url = URL.canParse(baseUrl, page?.href) ? new URL(baseUrl, page) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `${JSON.stringify(baseUrl)} is not where a CSE can be; write a URL such as http://gateway.example:8080.`,
    );
  const prefix = url.pathname.replace(/\/+$/, '');
  if (prefix.endsWith(`/${base}`)) {
    const without = `${url.origin}${prefix.slice(0, -base.length - 1)}`;
    throw new TypeError(`${baseUrl} ends with the name of the CSE base, which addresses begin with; write ${without}.`);
  }
  return { href: url.origin + prefix, url, prefix };
}

/** True for URLs below this one, and for itself. */
export function isBelow({ url: { origin }, prefix }: ParsedUrl, url: URL): boolean {
  return url.origin === origin && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`));
}

/** The address of the page; undefined in Node. */
export function pageUrl(): URL | undefined {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  return location === undefined ? undefined : new URL(location.href);
}
