/** Request and response primitives (TS-0001, clause 8.1): what a binding hands to the CSE and gets back. */
import type { FilterCriteria } from './discover.ts';
import type { ResponseStatus } from './status.ts';

export type Operation = 'create' | 'retrieve' | 'update' | 'delete';

export interface RequestPrimitive {
  readonly operation: Operation;
  /** `onem2m/x` or `cnt0` (CSE-relative), `/cse/…` (SP-relative), `//sp/cse/…` (absolute); '' is the CSE base, for create only. */
  readonly to: string;
  readonly from?: string;
  readonly requestIdentifier?: string;
  readonly releaseVersionIndicator?: string;
  /** The `ty` parameter, when the sender gave one. */
  readonly resourceType?: number;
  /** The JSON value of the body: one object with one root key. */
  readonly content?: unknown;
  /** `rcn`; its default depends on the operation. */
  readonly resultContent?: number;
  /** `drt`: 1 structured (default), 2 unstructured. */
  readonly desiredIdentifierResultType?: 1 | 2;
  readonly filterCriteria?: FilterCriteria;
}

export interface ResponsePrimitive {
  readonly status: ResponseStatus;
  /** JSON value ready to be serialised, or a `JsonText` that is; absent when the answer has no body. */
  readonly content?: unknown;
  /** Address of the resource in the answer, in the form in which the request addressed the CSE. */
  readonly contentLocation?: string;
  /** Operations that the resource allows, with OPERATION_NOT_ALLOWED. */
  readonly allow?: readonly string[];
  /** HTTP status where it is not the usual one of the response status code. */
  readonly http?: number;
}
