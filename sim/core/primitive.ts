/** Request and response primitives (TS-0001, clause 8.1): what a binding hands to the CSE and gets back. */
import type { FilterCriteria } from './filter-criteria.ts';
import type { ResponseStatus } from './status.ts';
import type { Trace } from './trace-context.ts';

export type Operation = 'create' | 'retrieve' | 'update' | 'delete' | 'notify';

/** At once, or when somebody else has been asked. */
export type Answer = ResponsePrimitive | Promise<ResponsePrimitive>;

export interface RequestPrimitive {
  readonly operation: Operation;
  /** `onem2m/x` or `cnt0` (CSE-relative), `/cse/…` (SP-relative), `//sp/cse/…` (absolute); '' is the CSE base, for create only. */
  readonly to: string;
  /** The AE that is to get it, where `to` is empty since it goes to one of its points of access. */
  readonly receiver?: string;
  readonly from?: string;
  readonly requestIdentifier?: string;
  readonly releaseVersionIndicator?: string;
  /** How what is sent is written, where its receiver takes no JSON (`csz`). */
  readonly serialization?: 'cbor';
  /** The `ty` parameter, when the sender gave one. */
  readonly resourceType?: number;
  /** The JSON value of the body: one object with one root key. */
  readonly content?: unknown;
  /** `rcn`; its default depends on the operation. */
  readonly resultContent?: number;
  /** `drt`: 1 structured (default), 2 unstructured. */
  readonly desiredIdentifierResultType?: 1 | 2;
  readonly filterCriteria?: FilterCriteria;
  /** `atrl`: the only attributes that the answer is to show. */
  readonly attributeList?: readonly string[];
  /** `rt`: 1 non-blocking synchronous, 2 non-blocking asynchronous, 3 blocking (default), 4 flexible, 5 no response. */
  readonly responseType?: 1 | 2 | 3 | 4 | 5;
  /** Where the result of a non-blocking asynchronous request goes; the originator's points of access when absent. */
  readonly notificationTargets?: readonly string[];
  /** `ot`, as it was sent; the answer has its own. */
  readonly originatingTimestamp?: string;
  /** `rqet`, `rset`, `oet`: microseconds since 1970 UTC; what was sent relatively is added to the time of arrival. */
  readonly requestExpiration?: number;
  readonly resultExpiration?: number;
  readonly operationExecutionTime?: number;
  /** Microseconds that the result of a non-blocking request is kept (`rp`). */
  readonly resultPersistence?: number;
  /** `ec`: 2 immediate, 3 best effort, 4 latest, 100 to 999 of the user. */
  readonly eventCategory?: number;
  /** `vsi`, echoed. */
  readonly vendorInformation?: string;
  /** `gid`: names one fan-out of a group, so that a member that is reached twice acts once. */
  readonly groupRequestIdentifier?: string;
  /** Roles that the originator claims (`rids`). */
  readonly roles?: readonly string[];
  /** True when TLS has shown who the originator is. */
  readonly authenticated?: boolean;
  /** IP address from which the request came, where it came over a network. */
  readonly address?: string;
  /** Which request of another system caused it, as W3C Trace Context says. */
  readonly trace?: Trace;
}

export interface ResponsePrimitive {
  readonly status: ResponseStatus;
  /** JSON value ready to be serialised; absent when the answer has no body. */
  readonly content?: unknown;
  /** Address of the resource in the answer, in the form in which the request addressed the CSE. */
  readonly contentLocation?: string;
  /** Operations that the resource allows, with OPERATION_NOT_ALLOWED. */
  readonly allow?: readonly string[];
  /** HTTP status where it is not the usual one of the response status code. */
  readonly http?: number;
  /** True when the content is not all that there is: `lim` has cut a discovery. */
  readonly partial?: { readonly nextOffset: number };
  /** True for a request with `rt` 5: HTTP answers 204 without anything. */
  readonly silent?: boolean;
}
