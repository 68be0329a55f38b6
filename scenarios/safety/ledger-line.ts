/** The lines of a ledger on disk: what a run is about to create, and what became of it. Never a secret. */
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Site } from '../engine/running/site.ts';
import type { CseNames } from './address.ts';

export interface LedgerSite extends CseNames {
  readonly url: string;
}

/** The first line: all that it takes to reach the target again, but for secrets. */
export interface RunLine {
  readonly kind: 'run';
  /** Of this format. */
  readonly ledger: 1;
  readonly run: string;
  readonly startedAt: string;
  readonly pid: number;
  readonly host: string;
  readonly gateway: LedgerSite;
  readonly backend?: LedgerSite;
  readonly dialect: Dialect;
  readonly release: string;
  readonly admin?: string;
  readonly originator?: string;
  /** Whether one of these is a secret, and stands in no line. */
  readonly withheld?: true;
  /** Paths of files. */
  readonly tls?: {
    readonly cert?: string;
    readonly key?: string;
    readonly type?: 'PEM' | 'P12';
    readonly cacert?: string;
    readonly insecure?: boolean;
    readonly certs?: string;
    readonly requireCert?: boolean;
  };
  /** Names of the headers that every request carried; their values may be secret. */
  readonly headers?: readonly string[];
}

/** Written before the request is sent. */
export interface CreatingLine {
  readonly kind: 'creating';
  readonly number: number;
  readonly on: Site;
  /** Path of the parent. */
  readonly in: string;
  /** The resource name that is asked for. */
  readonly name?: string;
  readonly originator?: string;
  readonly certificate?: string;
}

export type ChangeLine =
  | CreatingLine
  /** Where the answer says that it is. */
  | { readonly kind: 'created'; readonly number: number; readonly paths: readonly string[] }
  /** A read has shown that this path, which an answer named, leads to it. */
  | { readonly kind: 'proved'; readonly number: number; readonly path: string }
  | { readonly kind: 'refused'; readonly number: number }
  /** No answer, so that nobody knows. */
  | { readonly kind: 'silent'; readonly number: number }
  | { readonly kind: 'gone'; readonly on: Site; readonly path: string };

export type LedgerLine = RunLine | ChangeLine;

/** What every name of a run begins with. */
export function labelOfRun(run: string): string {
  return `cl-${run}-`;
}
