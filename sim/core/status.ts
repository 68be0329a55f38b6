/**
 * Response status codes (TS-0004, clause 6.6) with their HTTP status (TS-0009, table 6.3.2-1),
 * and the one error type of the CSE.
 */

export interface ResponseStatus {
  readonly code: number;
  readonly http: number;
}

const table = {
  ACCEPTED: [1000, 202],
  ACCEPTED_FOR_NON_BLOCKING_SYNCH: [1001, 202],
  ACCEPTED_FOR_NON_BLOCKING_ASYNCH: [1002, 202],

  OK: [2000, 200],
  CREATED: [2001, 201],
  DELETED: [2002, 200],
  UPDATED: [2004, 200],

  BAD_REQUEST: [4000, 400],
  RELEASE_VERSION_NOT_SUPPORTED: [4001, 400],
  NOT_FOUND: [4004, 404],
  OPERATION_NOT_ALLOWED: [4005, 405],
  REQUEST_TIMEOUT: [4008, 504],
  UNSUPPORTED_MEDIA_TYPE: [4015, 415],
  SUBSCRIPTION_CREATOR_HAS_NO_PRIVILEGE: [4101, 403],
  ORIGINATOR_HAS_NO_PRIVILEGE: [4103, 403],
  GROUP_REQUEST_IDENTIFIER_EXISTS: [4104, 409],
  CONFLICT: [4105, 409],
  ORIGINATOR_NOT_AUTHENTICATED: [4106, 403],
  SECURITY_ASSOCIATION_REQUIRED: [4107, 403],
  INVALID_CHILD_RESOURCE_TYPE: [4108, 403],
  NO_MEMBERS: [4109, 403],
  GROUP_MEMBER_TYPE_INCONSISTENT: [4110, 400],
  ORIGINATOR_HAS_ALREADY_REGISTERED: [4117, 403],
  BLOCKING_SUBSCRIPTION_ALREADY_EXISTS: [4124, 409],
  SPECIALIZATION_SCHEMA_NOT_FOUND: [4125, 501],
  OPERATION_DENIED_BY_REMOTE_ENTITY: [4127, 403],

  INTERNAL_SERVER_ERROR: [5000, 500],
  NOT_IMPLEMENTED: [5001, 501],
  TARGET_NOT_REACHABLE: [5103, 404],
  RECEIVER_HAS_NO_PRIVILEGE: [5105, 403],
  REMOTE_ENTITY_NOT_REACHABLE: [5107, 404],
  TARGET_NOT_SUBSCRIBABLE: [5203, 403],
  SUBSCRIPTION_VERIFICATION_INITIATION_FAILED: [5204, 500],
  SUBSCRIPTION_HOST_HAS_NO_PRIVILEGE: [5205, 403],
  NOT_ACCEPTABLE: [5207, 406],
  GROUP_MEMBERS_NOT_RESPONDED: [5209, 500],

  MAX_NUMBER_OF_MEMBER_EXCEEDED: [6010, 400],
} as const;

export type StatusName = keyof typeof table;

const byCode = new Map<number, ResponseStatus>();

function status(code: number, http: number): ResponseStatus {
  const made = { code, http };
  byCode.set(code, made);
  return made;
}

/** By name. */
export const statuses = Object.fromEntries(
  Object.entries(table).map(([name, [code, http]]) => [name, status(code, http)]),
) as Readonly<Record<StatusName, ResponseStatus>>;

/** The status of a received code; one that is not in the table gets this HTTP status. */
export function statusOf(code: number, http: number): ResponseStatus {
  return byCode.get(code) ?? { code, http };
}

/** Codes that only other CSEs answer (TS-0004, clause 6.6), to be forwarded with the right HTTP status. */
const foreignCodes: Readonly<Record<number, readonly number[]>> = {
  400: [4102, 4120, 4122, 4123, 4132, 4135, 4136, 4139, 4142, 4143, 6022, 6023, 6024],
  403: [4111, 4112, 4113, 4114, 4115, 4116, 4126, 4128, 4137, 4138, 4140, 4141, 5208, 5214, 5215, 5218, 5222, 6034],
  404: [4118, 4119, 4121, 4131, 4133, 6003, 6005],
  409: [4130, 5106, 5219, 5220, 6028, 6029],
  500: [5210, 5211, 5212, 5216, 5217, 5221, 5230, 5231, 5232, 6020, 6021, 6025, 6026, 6033],
  501: [5206],
  504: [6030, 6031],
};

for (const [http, codes] of Object.entries(foreignCodes)) for (const code of codes) status(code, Number(http));

/**
 * The refusal of a request. Thrown anywhere below the pipeline or a binding, turned into an answer in one place.
 * `message` is one sentence that says what is wrong and, if possible, what to change.
 */
export class CseError extends Error {
  override readonly name = 'CseError';
  readonly status: ResponseStatus;
  /** Operations that the resource allows (a binding may name HTTP methods); set with OPERATION_NOT_ALLOWED. */
  readonly allow: readonly string[] | undefined;
  /** HTTP status where it is not the usual one of the response status code (413, 414, 431 …). */
  readonly http: number;

  constructor(
    status: StatusName | ResponseStatus,
    message: string,
    details: { allow?: readonly string[]; http?: number } = {},
  ) {
    // It becomes an answer: its stack trace is never used, and would cost more than most requests do.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = typeof status === 'string' ? statuses[status] : status;
    this.allow = details.allow;
    this.http = details.http ?? this.status.http;
  }
}

/** The result of work that may be refused: undefined then. `onError` gets internal errors. */
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

/** For `catch`: turns a refusal into a result. Internal errors are thrown again. */
export function ifRefused<Result>(make: (refusal: CseError) => Result): (error: unknown) => Result {
  return (error) => {
    if (error instanceof CseError) return make(error);
    throw error;
  };
}

/** Undefined where the task throws. */
export function attempt<Result>(task: () => Result): Result | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
