import { maskedHeaders, maskedPath, printfFormat, shellWord } from './display.ts';
import { isExactBytes, type RawRequest, type RequestMessage, type Way } from './target.ts';
import type { Trust } from './tls.ts';
import { wireBytes } from './wire.ts';

/** Longest body in a command line, in bytes; a longer one is cut, with a note. */
const longestBody = 4096;

/** How the request reaches the target. */
interface Connection extends Pick<Way, 'certificate' | 'over'> {
  readonly trust?: Trust;
}

/** A command line for sh that sends the same request; `base` is the target's base URL without a slash at its end. */
export function curlLine(base: string, request: RequestMessage, connection: Connection = {}): string {
  const url = withScheme(base, connection);
  const bytes = request.body ?? (/^(POST|PUT|PATCH)$/.test(request.method) ? new Uint8Array() : undefined);
  const { line, note, before } = bodyOptions(bytes);
  const words = [
    'curl',
    '-i',
    ...method(request.method, bytes),
    ...pathOptions(request.path),
    ...tlsOptions(url, connection),
    ...headers(request, bytes),
    ...line,
  ];
  return `${before}${[...words, shellWord(url + maskedPath(request.path))].join(' ')}${note}`;
}

/** Like curlLine where curl can send the request; else the bytes, through nc or openssl. */
export function rawLine(base: string, request: RawRequest, connection: Connection = {}): string {
  if (!isExactBytes(request) && curlCanSend(request)) {
    const line = curlLine(base, request, connection);
    return request.version === '1.0' ? line.replace('curl -i ', 'curl -i --http1.0 ') : line;
  }
  const url = withScheme(base, connection);
  const { host } = new URL(base);
  const masked = isExactBytes(request)
    ? request
    : { ...request, path: maskedPath(request.path), headers: maskedHeaders(request.headers) };
  const bytes = wireBytes(masked, host);
  const sender = url.startsWith('https:')
    ? secureSender(url, base, connection)
    : `nc ${shellWord(bare(new URL(url).hostname))} ${portOf(base)}`;
  return `printf ${printfFormat(bytes.subarray(0, longestBody))} | ${sender}${cutNote(bytes.length)}`;
}

function secureSender(url: string, base: string, { certificate, over, trust }: Connection): string {
  const { hostname } = new URL(url);
  const { cert, key, type } = certificate?.files ?? {};
  const words = [
    `openssl s_client -quiet -connect ${shellWord(`${hostname}:${portOf(base)}`)}`,
    `-servername ${shellWord(bare(hostname))}`,
    ...(cert === undefined ? [] : ['-cert', shellWord(cert)]),
    ...(type === undefined ? [] : ['-certform', type]),
    ...(key === undefined ? [] : ['-key', shellWord(key)]),
    ...(trust?.caFile === undefined ? [] : ['-CAfile', shellWord(trust.caFile)]),
    ...(over === 'TLS 1.2' ? ['-tls1_2'] : over === 'TLS 1.3' ? ['-tls1_3'] : []),
  ];
  return words.join(' ');
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The port of the target, whatever the scheme. */
function portOf(base: string): string {
  const { port, protocol } = new URL(base);
  return port || (protocol === 'https:' ? '443' : '80');
}

function withScheme(base: string, { over }: Connection): string {
  if (over === undefined) return base;
  const { protocol, hostname, pathname } = new URL(base);
  const scheme = over === 'plain TCP' ? 'http:' : 'https:';
  return scheme === protocol ? base : `${scheme}//${hostname}:${portOf(base)}${pathname.replace(/\/+$/, '')}`;
}

/** As options of curl, which asks for a passphrase itself. */
function tlsOptions(url: string, { certificate, over, trust }: Connection): string[] {
  if (!url.startsWith('https:')) return [];
  const { cert, key, type } = certificate?.files ?? {};
  return [
    ...(over === 'TLS 1.2' ? ['--tls-max', '1.2'] : over === 'TLS 1.3' ? ['--tlsv1.3'] : []),
    ...(type === undefined ? [] : ['--cert-type', type]),
    ...(cert === undefined ? [] : ['--cert', shellWord(cert)]),
    ...(key === undefined ? [] : ['--key', shellWord(key)]),
    ...(trust?.caFile === undefined ? [] : ['--cacert', shellWord(trust.caFile)]),
    ...(trust?.insecure ? ['-k'] : []),
  ];
}

function method(name: string, body: Uint8Array | undefined): string[] {
  if (name === 'GET' && body === undefined) return [];
  return name === 'HEAD' ? ['--head'] : ['-X', shellWord(name)];
}

/** curl would take dot segments out of a path and expand brackets. */
function pathOptions(path: string): string[] {
  const dots = /(^|\/)\.{1,2}(\/|$|\?)/.test(path) ? ['--path-as-is'] : [];
  return /[[\]{}]/.test(path) ? [...dots, '--globoff'] : dots;
}

function headers(request: RequestMessage, body: Uint8Array | undefined): string[] {
  const sent = maskedHeaders(request.headers).map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  const typed = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const withoutType = body !== undefined && !typed ? ['Content-Type:'] : [];
  return [...sent, ...withoutType].flatMap((header) => ['-H', shellWord(header)]);
}

function bodyOptions(body: Uint8Array | undefined): { line: string[]; before: string; note: string } {
  if (body === undefined) return { line: [], before: '', note: '' };
  const excerpt = body.subarray(0, longestBody);
  const note = cutNote(body.length);
  const text = Buffer.from(excerpt).toString('utf8');
  const printable = Buffer.from(text, 'utf8').equals(excerpt) && !text.includes('\0');
  if (printable) return { line: ['--data-raw', shellWord(text) || "''"], before: '', note };
  return { line: ['--data-binary', '@-'], before: `printf ${printfFormat(excerpt)} | `, note };
}

function cutNote(length: number): string {
  return length > longestBody ? ` # cut: these are the first ${longestBody} of ${length} bytes` : '';
}

/** curl writes some headers itself and knows request targets that begin with a slash only. */
function curlCanSend(request: Exclude<RawRequest, { bytes: Uint8Array }>): boolean {
  const own = request.headers.some(([name]) => /^(host|content-length|transfer-encoding|expect)$/i.test(name));
  const plainHeaders = request.headers.every(
    ([name, value]) => /^[!-9;-~]+$/.test(name) && /^([!-~]([ -~]*[!-~])?)?$/.test(value),
  );
  const plainTarget = /^\/[!-~]*$/.test(request.path) && !/["<>\\^`{|}#]/.test(request.path);
  const bodyAllowed = request.body === undefined || request.method !== 'HEAD';
  return (
    !own &&
    plainHeaders &&
    plainTarget &&
    bodyAllowed &&
    request.addHost &&
    request.addContentLength &&
    /^[A-Za-z]+$/.test(request.method)
  );
}
