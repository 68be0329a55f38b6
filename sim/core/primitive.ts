/** Request and response primitives (TS-0001, clause 8.1), as bindings pass them to the CSE and get them back. */
import type { FilterCriteria } from './filter-criteria.ts';
import type { ResponseStatus } from './status.ts';
import type { Trace } from './trace-context.ts';

export type Operation = 'create' | 'retrieve' | 'update' | 'delete' | 'notify';

/** A promise where other entities must be asked first. */
export type Answer = ResponsePrimitive | Promise<ResponsePrimitive>;

export interface RequestPrimitive {
  readonly operation: Operation;
  /** `onem2m/x` or `cnt0` (CSE-relative), `/cse/…` (SP-relative), `//sp/cse/…` (absolute); '' is the CSE base, for create only. */
  readonly to: string;
  /** The receiving AE, where `to` is empty since it goes to a point of access. */
  readonly receiver?: string;
  readonly from?: string;
  readonly requestIdentifier?: string;
  readonly releaseVersionIndicator?: string;
  /** The serialization to send, where the receiver accepts no JSON (`csz`). */
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
  /** `atrl`: the only attributes of the answer. */
  readonly attributeList?: readonly string[];
  /** `rt`: 1 non-blocking synchronous, 2 non-blocking asynchronous, 3 blocking (default), 4 flexible, 5 no response. */
  readonly responseType?: 1 | 2 | 3 | 4 | 5;
  /** Where the result of a non-blocking asynchronous request goes; the originator's points of access when absent. */
  readonly notificationTargets?: readonly string[];
  /** `ot`, as it was sent; the answer has its own. */
  readonly originatingTimestamp?: string;
  /** `rqet`, `rset`, `oet`: microseconds since 1970 UTC; relative ones were added to the time of arrival. */
  readonly requestExpiration?: number;
  readonly resultExpiration?: number;
  readonly operationExecutionTime?: number;
  /** Microseconds that the result of a non-blocking request is kept (`rp`). */
  readonly resultPersistence?: number;
  /** `ec`: 2 immediate, 3 best effort, 4 latest, 100 to 999 user-defined. */
  readonly eventCategory?: number;
  /** `vsi`, echoed. */
  readonly vendorInformation?: string;
  /** `gid`: identifies one fan-out of a group, so that a member reached twice acts once. */
  readonly groupRequestIdentifier?: string;
  /** Roles that the originator claims (`rids`). */
  readonly roles?: readonly string[];
  /** True when TLS has authenticated the originator. */
  readonly authenticated?: boolean;
  /** IP address of the sender, if it came over a network. */
  readonly address?: string;
  /** The request of another system that caused it (W3C Trace Context). */
  readonly trace?: Trace;
}

export interface ResponsePrimitive {
  readonly status: ResponseStatus;
  /** JSON value ready to be serialised; absent when the answer has no body. */
  readonly content?: unknown;
  /** Address of the resource in the answer, in the address form of the request. */
  readonly contentLocation?: string;
  /** Operations that the resource allows, with OPERATION_NOT_ALLOWED. */
  readonly allow?: readonly string[];
  /** HTTP status where it is not the usual one of the response status code. */
  readonly http?: number;
  /** Set when `lim` has cut a discovery short. */
  readonly partial?: { readonly nextOffset: number };
  /** True for a request with `rt` 5: HTTP answers an empty 204. */
  readonly silent?: boolean;
}
