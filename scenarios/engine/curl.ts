import { printfFormat, shellWord } from './shell.ts';
import type { RawRequest, RequestMessage } from './targets/target.ts';
import { isExactBytes } from './targets/target.ts';
import { wireBytes } from './wire.ts';

/** Longest body written into a command line, in bytes; a longer one is cut, with a note. */
const longestBody = 4096;

/** A command line for sh that sends the same request; `url` is the target's base URL without a slash at its end. */
export function curlLine(url: string, request: RequestMessage): string {
  const bytes = request.body ?? (sendsLength(request.method) ? new Uint8Array() : undefined);
  const { line, note, before } = bodyOptions(bytes);
  const words = [
    'curl',
    '-i',
    ...method(request.method, bytes),
    ...pathOptions(request.path),
    ...headers(request, bytes),
    ...line,
  ];
  return `${before}${[...words, shellWord(url + request.path)].join(' ')}${note}`;
}

/** Like curlLine where curl can send the request; else the bytes, through nc or openssl. */
export function rawLine(url: string, request: RawRequest): string {
  if (!isExactBytes(request) && curlCanSend(request)) {
    const line = curlLine(url, request);
    return request.version === '1.0' ? line.replace('curl -i ', 'curl -i --http1.0 ') : line;
  }
  const { protocol, hostname, port, host } = new URL(url);
  const bytes = wireBytes(request, host);
  const bare = hostname.replace(/^\[|\]$/g, '');
  const sender =
    protocol === 'https:'
      ? `openssl s_client -quiet -connect ${shellWord(`${hostname}:${port || '443'}`)} -servername ${shellWord(bare)}`
      : `nc ${shellWord(bare)} ${port || '80'}`;
  return `printf ${printfFormat(bytes.subarray(0, longestBody))} | ${sender}${cutNote(bytes.length)}`;
}

function method(name: string, body: Uint8Array | undefined): string[] {
  if (name === 'GET' && body === undefined) return [];
  return name === 'HEAD' ? ['--head'] : ['-X', shellWord(name)];
}

function sendsLength(method: string): boolean {
  return /^(POST|PUT|PATCH)$/.test(method);
}

/** curl would take dot segments out of a path and expand brackets. */
function pathOptions(path: string): string[] {
  const dots = /(^|\/)\.{1,2}(\/|$|\?)/.test(path) ? ['--path-as-is'] : [];
  return /[[\]{}]/.test(path) ? [...dots, '--globoff'] : dots;
}

function headers(request: RequestMessage, body: Uint8Array | undefined): string[] {
  const given = request.headers.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  const typed = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const withoutType = body !== undefined && !typed ? ['Content-Type:'] : [];
  return [...given, ...withoutType].flatMap((header) => ['-H', shellWord(header)]);
}

function bodyOptions(body: Uint8Array | undefined): { line: string[]; before: string; note: string } {
  if (body === undefined) return { line: [], before: '', note: '' };
  const shown = body.subarray(0, longestBody);
  const note = cutNote(body.length);
  const text = Buffer.from(shown).toString('utf8');
  const printable = Buffer.from(text, 'utf8').equals(shown) && !text.includes('\0');
  if (printable) return { line: ['--data-raw', shellWord(text) || "''"], before: '', note };
  return { line: ['--data-binary', '@-'], before: `printf ${printfFormat(shown)} | `, note };
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
