/**
 * Response status codes (TS-0004, clause 6.6) with the HTTP status each is sent with (TS-0009, table 6.3.2-1),
 * and the one error type of the CSE.
 */

export interface ResponseStatus {
  readonly code: number;
  readonly http: number;
}

const byCode = new Map<number, ResponseStatus>();

function status(code: number, http: number): ResponseStatus {
  const made = { code, http };
  byCode.set(code, made);
  return made;
}

/** The status of a code that somebody else has sent; one that is not in the table has the HTTP status given. */
export function statusOf(code: number, http: number): ResponseStatus {
  return byCode.get(code) ?? { code, http };
}

export const ACCEPTED = status(1000, 202);
export const ACCEPTED_FOR_NON_BLOCKING_SYNCH = status(1001, 202);
export const ACCEPTED_FOR_NON_BLOCKING_ASYNCH = status(1002, 202);

export const OK = status(2000, 200);
export const CREATED = status(2001, 201);
export const DELETED = status(2002, 200);
export const UPDATED = status(2004, 200);

export const BAD_REQUEST = status(4000, 400);
export const RELEASE_VERSION_NOT_SUPPORTED = status(4001, 400);
export const NOT_FOUND = status(4004, 404);
export const OPERATION_NOT_ALLOWED = status(4005, 405);
export const REQUEST_TIMEOUT = status(4008, 504);
export const UNSUPPORTED_MEDIA_TYPE = status(4015, 415);
export const SUBSCRIPTION_CREATOR_HAS_NO_PRIVILEGE = status(4101, 403);
export const ORIGINATOR_HAS_NO_PRIVILEGE = status(4103, 403);
export const GROUP_REQUEST_IDENTIFIER_EXISTS = status(4104, 409);
export const CONFLICT = status(4105, 409);
export const ORIGINATOR_NOT_AUTHENTICATED = status(4106, 403);
export const SECURITY_ASSOCIATION_REQUIRED = status(4107, 403);
export const INVALID_CHILD_RESOURCE_TYPE = status(4108, 403);
export const NO_MEMBERS = status(4109, 403);
export const GROUP_MEMBER_TYPE_INCONSISTENT = status(4110, 400);
export const ORIGINATOR_HAS_ALREADY_REGISTERED = status(4117, 403);
export const BLOCKING_SUBSCRIPTION_ALREADY_EXISTS = status(4124, 409);
export const SPECIALIZATION_SCHEMA_NOT_FOUND = status(4125, 501);
export const OPERATION_DENIED_BY_REMOTE_ENTITY = status(4127, 403);

export const INTERNAL_SERVER_ERROR = status(5000, 500);
export const NOT_IMPLEMENTED = status(5001, 501);
export const TARGET_NOT_REACHABLE = status(5103, 404);
export const RECEIVER_HAS_NO_PRIVILEGE = status(5105, 403);
export const REMOTE_ENTITY_NOT_REACHABLE = status(5107, 404);
export const TARGET_NOT_SUBSCRIBABLE = status(5203, 403);
export const SUBSCRIPTION_VERIFICATION_INITIATION_FAILED = status(5204, 500);
export const SUBSCRIPTION_HOST_HAS_NO_PRIVILEGE = status(5205, 403);
export const NOT_ACCEPTABLE = status(5207, 406);
export const GROUP_MEMBERS_NOT_RESPONDED = status(5209, 500);

export const MAX_NUMBER_OF_MEMBER_EXCEEDED = status(6010, 400);

/** What this CSE never answers, but others may (TS-0004, clause 6.6): to be handed on with the right HTTP status. */
const ofOthers: Readonly<Record<number, readonly number[]>> = {
  400: [4102, 4120, 4122, 4123, 4132, 4135, 4136, 4139, 4142, 4143, 6022, 6023, 6024],
  403: [4111, 4112, 4113, 4114, 4115, 4116, 4126, 4128, 4137, 4138, 4140, 4141, 5208, 5214, 5215, 5218, 5222, 6034],
  404: [4118, 4119, 4121, 4131, 4133, 6003, 6005],
  409: [4130, 5106, 5219, 5220, 6028, 6029],
  500: [5210, 5211, 5212, 5216, 5217, 5221, 5230, 5231, 5232, 6020, 6021, 6025, 6026, 6033],
  501: [5206],
  504: [6030, 6031],
};

for (const [http, codes] of Object.entries(ofOthers)) for (const code of codes) status(code, Number(http));

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
    // It becomes an answer: nobody asks where it was thrown, and to find that out costs more than most requests do.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.allow = facts.allow;
    this.http = facts.http ?? status.http;
  }
}

/** What comes of work whose refusal takes nothing away from anybody: undefined then. Defects are told to `onError`. */
export async function unlessRefused<Result>(
  work: Promise<Result>,
  { onError }: { readonly onError: (error: unknown) => void },
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CseError)) onError(error);
    return undefined;
  }
}
