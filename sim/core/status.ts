/**
 * Response status codes (TS-0004, clause 6.6) with the HTTP status each is sent with (TS-0009, table 6.3.2-1),
 * and the one error type of the CSE.
 */

export interface ResponseStatus {
  readonly code: number;
  readonly name: string;
  readonly http: number;
}

const status = (code: number, http: number, name: string): ResponseStatus => ({ code, http, name });

export const OK = status(2000, 200, 'OK');
export const CREATED = status(2001, 201, 'CREATED');
export const DELETED = status(2002, 200, 'DELETED');
export const UPDATED = status(2004, 200, 'UPDATED');

export const BAD_REQUEST = status(4000, 400, 'BAD_REQUEST');
export const NOT_FOUND = status(4004, 404, 'NOT_FOUND');
export const OPERATION_NOT_ALLOWED = status(4005, 405, 'OPERATION_NOT_ALLOWED');
export const REQUEST_TIMEOUT = status(4008, 408, 'REQUEST_TIMEOUT');
export const UNSUPPORTED_MEDIA_TYPE = status(4015, 415, 'UNSUPPORTED_MEDIA_TYPE');
export const ORIGINATOR_HAS_NO_PRIVILEGE = status(4103, 403, 'ORIGINATOR_HAS_NO_PRIVILEGE');
export const CONFLICT = status(4105, 409, 'CONFLICT');
export const SECURITY_ASSOCIATION_REQUIRED = status(4107, 403, 'SECURITY_ASSOCIATION_REQUIRED');
export const INVALID_CHILD_RESOURCE_TYPE = status(4108, 403, 'INVALID_CHILD_RESOURCE_TYPE');
export const INTERNAL_SERVER_ERROR = status(5000, 500, 'INTERNAL_SERVER_ERROR');
export const TARGET_NOT_REACHABLE = status(5103, 404, 'TARGET_NOT_REACHABLE');
export const NOT_ACCEPTABLE = status(5207, 406, 'NOT_ACCEPTABLE');

/**
 * The refusal of a request. Thrown anywhere below the pipeline or a binding, turned into an answer in one place.
 * `message` is one sentence that says what is wrong and, where it can, what to change.
 */
export class CseError extends Error {
  override readonly name = 'CseError';
  readonly status: ResponseStatus;
  /** Operations that the resource does allow (a binding may name HTTP methods); set with OPERATION_NOT_ALLOWED. */
  readonly allow: readonly string[] | undefined;
  /** HTTP status where it is not the usual one of the response status code (413, 414, 431 …). */
  readonly http: number;

  constructor(status: ResponseStatus, message: string, facts: { allow?: readonly string[]; http?: number } = {}) {
    super(message);
    this.status = status;
    this.allow = facts.allow;
    this.http = facts.http ?? status.http;
  }
}
