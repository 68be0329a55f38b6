/** Which content types are taken and given (TS-0009, clause 6.4). */
import { BAD_REQUEST, CseError, NOT_ACCEPTABLE, UNSUPPORTED_MEDIA_TYPE } from '../core/status.ts';

export const usualContentType = 'application/vnd.onem2m-res+json';
const taken: ReadonlySet<string> = new Set([
  usualContentType,
  'application/vnd.onem2m-ntfy+json',
  'application/vnd.onem2m-attrs+json',
  'application/json',
]);
/** What an answer can be labelled with, the preferred first. */
const given = [
  usualContentType,
  'application/json',
  'application/vnd.onem2m-ntfy+json',
  'application/vnd.onem2m-attrs+json',
];

/**
 * The `ty` parameter of a body's Content-Type, undefined when it has none.
 * A type other than the JSON ones of TS-0009, another charset than UTF-8 or a content coding is refused; none at all is JSON.
 */
export function readContentType(header: string | undefined, coding: string | undefined): number | undefined {
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new CseError(UNSUPPORTED_MEDIA_TYPE, `Content-Encoding ${coding} is not supported.`);
  }
  if (header === undefined || header === usualContentType || header === 'application/json') return undefined;
  const [type, ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (type === undefined || !taken.has(type)) throw unsupported(header);
  let ty: number | undefined;
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=');
    if (name === 'charset' && value.replaceAll('"', '') !== 'utf-8') throw unsupported(header);
    if (name === 'ty') ty = readTy(value);
  }
  return ty;
}

function readTy(value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new CseError(BAD_REQUEST, `ty in the Content-Type must be a number, not ${JSON.stringify(value)}.`);
}

function unsupported(header: string): CseError {
  return new CseError(UNSUPPORTED_MEDIA_TYPE, `Content-Type ${header} is not supported; send ${usualContentType}.`);
}

/** The content type of the answer, by the request's Accept; NOT_ACCEPTABLE when JSON cannot satisfy it. */
export function chooseContentType(accept: string | undefined): string {
  if (accept === undefined || accept === '*/*' || accept.trim() === '') return usualContentType;
  const ranges = accept.split(',').map(readRange);
  let best: { type: string; quality: number } | undefined;
  for (const type of given) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  if (best === undefined)
    throw new CseError(NOT_ACCEPTABLE, `Only JSON can be given, which Accept: ${accept} excludes.`);
  return best.type;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const number = Number(quality ?? 1);
  return { type, quality: Number.isFinite(number) ? number : 0 };
}

/** RFC 9110, clause 12.5.1: the most specific range decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const range of [type, 'application/*', '*/*']) {
    const match = ranges.find((candidate) => candidate.type === range);
    if (match !== undefined) return match.quality;
  }
  return 0;
}
