import type { Exchange, ReceivedRequest, TlsFacts } from '../../scenarios/words.ts';
import { headOf } from './wording.ts';

type Headers = Exchange['request']['headers'];

/** Headers that every message has and no check is about; the curl line has those that matter. */
const common = /^(accept-encoding|connection|content-length|date|host|keep-alive|transfer-encoding|user-agent)$/i;

export interface MessageOptions {
  /** Leave out common headers. */
  readonly briefly?: boolean;
  /** Characters of a body that are shown. */
  readonly bodyLimit: number;
}

/** The request as text: request line, headers, an empty line, the body. */
export function requestText(
  { request }: { readonly request: Exchange['request'] | ReceivedRequest },
  options: MessageOptions,
): string {
  const { method, path, headers, body = '', exactBytes } = request;
  return exactBytes ? shortened(body, options.bodyLimit) : message(`${method} ${path}`, headers, body, options);
}

/** The answer as text, or why there is none. */
export function answerText(exchange: Exchange, options: MessageOptions): string {
  const { answer, failure, connection, tls } = exchange;
  const parts: string[] = [];
  if (answer !== undefined) parts.push(message(String(answer.status), answer.headers, answer.body, options));
  if (failure !== undefined) parts.push(`${failureWords[failure.kind]}: ${failure.message}`);
  if (connection !== undefined) parts.push(`(connection ${connection === 'open' ? 'left open' : 'closed'} afterwards)`);
  if (tls !== undefined) parts.push(`(${tlsText(tls)})`);
  return parts.join('\n');
}

/** The TLS connection, on one line. */
function tlsText({ handshake, version, alert, server }: TlsFacts): string {
  const { verification, uris = [] } = server ?? {};
  const parts = [
    `${version ?? 'TLS'}: handshake ${handshake ?? 'without an end'}`,
    alert !== undefined && `the target sent the alert "${alert}"`,
    verification !== undefined && `certificate of the target: ${verification}`,
    uris.length > 0 && `for ${uris.join(', ')}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** What happened instead of an answer, in words. */
export const failureWords: Readonly<Record<NonNullable<Exchange['failure']>['kind'], string>> = {
  refused: 'connection refused',
  unreachable: 'target unreachable',
  tls: 'no answer',
  reset: 'connection reset',
  closed: 'connection closed without an answer',
  cut: 'answer cut short',
  timeout: 'no answer in time',
  malformed: 'the answer is not HTTP',
  interrupted: 'interrupted',
};

function message(first: string, headers: Headers, body: string, options: MessageOptions): string {
  const displayed = options.briefly === true ? headers.filter(([name]) => !common.test(name)) : headers;
  const lines = [first, ...displayed.map(([name, value]) => `${name}: ${value}`)];
  const inCbor = headers.some(([name, value]) => /^content-type$/i.test(name) && /cbor/i.test(value));
  const note = inCbor ? `(${body.startsWith("h'") ? 'no CBOR: its octets' : 'CBOR, shown as JSON'})` : '';
  if (body !== '') lines.push(note, shortened(prettyBody(body), options.bodyLimit));
  return lines.join('\n');
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${headOf(text, limit)}\n… (${text.length.toLocaleString('en')} characters in all)`;
}

/** Longer bodies are not indented. */
const longestIndented = 200_000;
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * A JSON body with line breaks and indentation, anything else unchanged.
 * Only white space is touched: numbers keep their digits and doubled keys stay, since both can be what a check is about.
 */
export function prettyBody(body: string): string {
  if (body.length > longestIndented || !/^\s*[{[]/.test(body)) return body;
  try {
    JSON.parse(body);
  } catch {
    return body;
  }
  return indented(body.match(token) ?? []);
}

function indented(tokens: readonly string[]): string {
  let text = '';
  let depth = 0;
  for (const [index, part] of tokens.entries()) {
    const opens = part === '{' || part === '[';
    const next = tokens[index + 1];
    const closesNext = next === '}' || next === ']';
    if (opens) depth += 1;
    if (closesNext) depth -= 1;
    text += part === ':' ? ': ' : part;
    // Empty objects and lists stay on their line.
    if (part === ',' || opens !== closesNext) text += `\n${'  '.repeat(depth)}`;
  }
  return text;
}
