/** Accepted and offered content types (TS-0009, clause 6.4). */
import type { DialectName } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';

interface Types {
  /** Of request bodies. */
  readonly accepted: readonly string[];
  /** Of answers, preferred first. */
  readonly offered: readonly string[];
}

const documentedTypes = [
  'application/vnd.onem2m-res+json',
  'application/json',
  'application/vnd.onem2m-ntfy+json',
  'application/vnd.onem2m-attrs+json',
];

/** TS-0004, clause 6.7. */
const ofStandard = (format: 'json' | 'cbor') => [
  `application/${format}`,
  ...['res', 'ntfy', 'attrs', 'preq', 'prsp'].map((name) => `application/vnd.onem2m-${name}+${format}`),
];

const types: Readonly<Record<DialectName, Types>> = {
  documented: { accepted: documentedTypes, offered: documentedTypes },
  onem2m: {
    accepted: [...ofStandard('json'), ...ofStandard('cbor')],
    offered: ['json', 'cbor'].flatMap((format) => [`application/${format}`, `application/vnd.onem2m-res+${format}`]),
  },
};

/** A parsed Content-Type. */
export interface ContentType {
  /** Without parameters. */
  readonly type: string;
  /** The `ty` parameter; undefined when there is none. */
  readonly resourceType: number | undefined;
}

export const isCbor = (type: string): boolean => type.endsWith('cbor');

/** Cached headers: clients send the same few again and again. */
const maxKnown = 256;

class MediaTypes {
  readonly #accepted: ReadonlySet<string>;
  readonly #offered: readonly string[];
  readonly #known = new Map<string, ContentType>();

  constructor(dialect: DialectName) {
    const { accepted, offered } = types[dialect];
    this.#accepted = new Set(accepted);
    this.#offered = offered;
  }

  /** The content type of answers by default. */
  get preferred(): string {
    return this.#offered[0] ?? 'application/json';
  }

  /** Refuses an unsupported type, a charset other than UTF-8, and a content coding; the preferred type without a header. */
  read(header: string | undefined, coding: string | undefined): ContentType {
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      throw new CseError('UNSUPPORTED_MEDIA_TYPE', `Content-Encoding ${coding} is not supported.`);
    }
    if (header === undefined) return { type: this.preferred, resourceType: undefined };
    const known = this.#known.get(header);
    if (known !== undefined) return known;
    const read = this.#parse(header);
    if (this.#known.size < maxKnown) this.#known.set(header, read);
    return read;
  }

  #parse(header: string): ContentType {
    const [type, ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
    if (type === undefined || !this.#accepted.has(type)) throw this.#unsupported(header);
    let resourceType: number | undefined;
    for (const parameter of parameters) {
      const [name, value = ''] = parameter.split('=').map((part) => part.trim());
      if (name === 'charset' && value.replaceAll('"', '') !== 'utf-8') throw this.#unsupported(header);
      if (name !== 'ty') continue;
      if (!/^\d{1,6}$/.test(value)) {
        throw new CseError('BAD_REQUEST', `ty in the Content-Type must be a number, not ${JSON.stringify(value)}.`);
      }
      resourceType = Number(value);
    }
    return { type, resourceType };
  }

  #unsupported(header: string): CseError {
    return new CseError('UNSUPPORTED_MEDIA_TYPE', `Content-Type ${header} is not supported; send ${this.preferred}.`);
  }

  /**
   * The content type of the answer, by the request's Accept; NOT_ACCEPTABLE when nothing satisfies it. A client that accepts
   * anything and sent CBOR (`sent` is its Content-Type) gets CBOR.
   */
  choose(accept: string | undefined, sent?: string): string {
    if (accept === undefined || accept === '*/*' || accept.trim() === '') {
      if (!sent?.includes('cbor')) return this.preferred;
      return this.#offered.find((type) => isCbor(type) && sent.startsWith(type)) ?? this.preferred;
    }
    if (this.#offered.includes(accept)) return accept;
    const ranges = accept.split(',').map(readRange);
    let best: { type: string; quality: number } | undefined;
    for (const type of this.#offered) {
      const quality = qualityOf(type, ranges);
      if (quality > (best?.quality ?? 0)) best = { type, quality };
    }
    if (best !== undefined) return best.type;
    const formats = this.#offered.some(isCbor) ? 'JSON and CBOR' : 'JSON';
    throw new CseError('NOT_ACCEPTABLE', `Only ${formats} is available, which Accept: ${accept} excludes.`);
  }
}

/** Shared by all CSEs. */
export const mediaTypes: Readonly<Record<DialectName, MediaTypes>> = {
  documented: new MediaTypes('documented'),
  onem2m: new MediaTypes('onem2m'),
};

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
