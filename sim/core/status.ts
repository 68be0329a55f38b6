/**
 * Response status codes (TS-0004, clause 6.6) with the HTTP status each is sent with (TS-0009, table 6.3.2-1),
 * and the one error type of the CSE.
 */

export interface ResponseStatus {
  readonly code: number;
  readonly name: string;
  readonly http: number;
}

const byCode = new Map<number, ResponseStatus>();

function status(code: number, http: number, name: string): ResponseStatus {
  const made = { code, http, name };
  byCode.set(code, made);
  return made;
}

/** The status of a code that somebody else has sent; one that is not in the table has the HTTP status given. */
export function statusOf(code: number, http: number): ResponseStatus {
  return byCode.get(code) ?? { code, http, name: String(code) };
}

export const ACCEPTED = status(1000, 202, 'ACCEPTED');
export const ACCEPTED_FOR_NON_BLOCKING_SYNCH = status(1001, 202, 'ACCEPTED_FOR_NON_BLOCKING_SYNCH');
export const ACCEPTED_FOR_NON_BLOCKING_ASYNCH = status(1002, 202, 'ACCEPTED_FOR_NON_BLOCKING_ASYNCH');

export const OK = status(2000, 200, 'OK');
export const CREATED = status(2001, 201, 'CREATED');
export const DELETED = status(2002, 200, 'DELETED');
export const UPDATED = status(2004, 200, 'UPDATED');

export const BAD_REQUEST = status(4000, 400, 'BAD_REQUEST');
export const RELEASE_VERSION_NOT_SUPPORTED = status(4001, 400, 'RELEASE_VERSION_NOT_SUPPORTED');
export const NOT_FOUND = status(4004, 404, 'NOT_FOUND');
export const OPERATION_NOT_ALLOWED = status(4005, 405, 'OPERATION_NOT_ALLOWED');
export const REQUEST_TIMEOUT = status(4008, 504, 'REQUEST_TIMEOUT');
export const UNSUPPORTED_MEDIA_TYPE = status(4015, 415, 'UNSUPPORTED_MEDIA_TYPE');
export const SUBSCRIPTION_CREATOR_HAS_NO_PRIVILEGE = status(4101, 403, 'SUBSCRIPTION_CREATOR_HAS_NO_PRIVILEGE');
export const ORIGINATOR_HAS_NO_PRIVILEGE = status(4103, 403, 'ORIGINATOR_HAS_NO_PRIVILEGE');
export const GROUP_REQUEST_IDENTIFIER_EXISTS = status(4104, 409, 'GROUP_REQUEST_IDENTIFIER_EXISTS');
export const CONFLICT = status(4105, 409, 'CONFLICT');
export const SECURITY_ASSOCIATION_REQUIRED = status(4107, 403, 'SECURITY_ASSOCIATION_REQUIRED');
export const INVALID_CHILD_RESOURCE_TYPE = status(4108, 403, 'INVALID_CHILD_RESOURCE_TYPE');
export const NO_MEMBERS = status(4109, 403, 'NO_MEMBERS');
export const GROUP_MEMBER_TYPE_INCONSISTENT = status(4110, 400, 'GROUP_MEMBER_TYPE_INCONSISTENT');
export const ORIGINATOR_HAS_ALREADY_REGISTERED = status(4117, 403, 'ORIGINATOR_HAS_ALREADY_REGISTERED');
export const BLOCKING_SUBSCRIPTION_ALREADY_EXISTS = status(4124, 409, 'BLOCKING_SUBSCRIPTION_ALREADY_EXISTS');
export const SPECIALIZATION_SCHEMA_NOT_FOUND = status(4125, 501, 'SPECIALIZATION_SCHEMA_NOT_FOUND');
export const OPERATION_DENIED_BY_REMOTE_ENTITY = status(4127, 403, 'OPERATION_DENIED_BY_REMOTE_ENTITY');

export const INTERNAL_SERVER_ERROR = status(5000, 500, 'INTERNAL_SERVER_ERROR');
export const NOT_IMPLEMENTED = status(5001, 501, 'NOT_IMPLEMENTED');
export const TARGET_NOT_REACHABLE = status(5103, 404, 'TARGET_NOT_REACHABLE');
export const RECEIVER_HAS_NO_PRIVILEGE = status(5105, 403, 'RECEIVER_HAS_NO_PRIVILEGE');
export const REMOTE_ENTITY_NOT_REACHABLE = status(5107, 404, 'REMOTE_ENTITY_NOT_REACHABLE');
export const TARGET_NOT_SUBSCRIBABLE = status(5203, 403, 'TARGET_NOT_SUBSCRIBABLE');
export const SUBSCRIPTION_VERIFICATION_INITIATION_FAILED = status(
  5204,
  500,
  'SUBSCRIPTION_VERIFICATION_INITIATION_FAILED',
);
export const SUBSCRIPTION_HOST_HAS_NO_PRIVILEGE = status(5205, 403, 'SUBSCRIPTION_HOST_HAS_NO_PRIVILEGE');
export const NOT_ACCEPTABLE = status(5207, 406, 'NOT_ACCEPTABLE');
export const GROUP_MEMBERS_NOT_RESPONDED = status(5209, 500, 'GROUP_MEMBERS_NOT_RESPONDED');

export const MAX_NUMBER_OF_MEMBER_EXCEEDED = status(6010, 400, 'MAX_NUMBER_OF_MEMBER_EXCEEDED');

/** What this CSE never answers, but others may: to be handed on with the right HTTP status. */
const ofOthers: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  400: {
    4102: 'CONTENTS_UNACCEPTABLE',
    4120: 'INVALID_SEMANTICS',
    4122: 'INVALID_TRIGGER_PURPOSE',
    4123: 'ILLEGAL_TRANSACTION_STATE_TRANSITION_ATTEMPTED',
    4132: 'ONTOLOGY_MAPPING_POLICY_NOT_MATCHED',
    4135: 'BAD_FACT_INPUTS_FOR_REASONING',
    4136: 'BAD_RULE_INPUTS_FOR_REASONING',
    4139: 'PRIMITIVE_PROFILE_BAD_REQUEST',
    4142: 'INVALID_PROCESS_CONFIGURATION',
    4143: 'INVALID_SPARQL_QUERY',
    6022: 'INVALID_CMDTYPE',
    6023: 'INVALID_ARGUMENTS',
    6024: 'INSUFFICIENT_ARGUMENTS',
  },
  403: {
    4106: 'ORIGINATOR_HAS_NOT_REGISTERED',
    4111: 'ESPRIM_UNSUPPORTED_OPTION',
    4112: 'ESPRIM_UNKNOWN_KEY_ID',
    4113: 'ESPRIM_UNKNOWN_ORIG_RAND_ID',
    4114: 'ESPRIM_UNKNOWN_RECV_RAND_ID',
    4115: 'ESPRIM_BAD_MAC',
    4116: 'ESPRIM_IMPERSONATION_ERROR',
    4126: 'APP_RULE_VALIDATION_FAILED',
    4128: 'SERVICE_SUBSCRIPTION_NOT_ESTABLISHED',
    4137: 'DISCOVERY_LIMIT_EXCEEDED',
    4138: 'PRIMITIVE_PROFILE_NOT_ACCESSIBLE',
    4140: 'UNAUTHORIZED_USER',
    4141: 'SERVICE_SUBSCRIPTION_LIMITS_EXCEEDED',
    5208: 'DISCOVERY_DENIED_BY_IPE',
    5214: 'TARGET_HAS_NO_SESSION_CAPABILITY',
    5215: 'SESSION_IS_ONLINE',
    5218: 'TRIGGERING_DISABLED_FOR_RECIPIENT',
    5222: 'TRANSACTION_PROCESSING_IS_INCOMPLETE',
    6034: 'REQUESTED_ACTIVITY_PATTERN_NOT_PERMITTED',
  },
  404: {
    4118: 'ONTOLOGY_NOT_AVAILABLE',
    4119: 'LINKED_SEMANTICS_NOT_AVAILABLE',
    4121: 'MASHUP_MEMBER_NOT_FOUND',
    4131: 'ONTOLOGY_MAPPING_ALGORITHM_NOT_AVAILABLE',
    4133: 'ONTOLOGY_MAPPING_NOT_AVAILABLE',
    6003: 'EXTERNAL_OBJECT_NOT_REACHABLE',
    6005: 'EXTERNAL_OBJECT_NOT_FOUND',
  },
  409: {
    4130: 'SOFTWARE_CAMPAIGN_CONFLICT',
    5106: 'ALREADY_EXISTS',
    5219: 'UNABLE_TO_REPLACE_REQUEST',
    5220: 'UNABLE_TO_RECALL_REQUEST',
    6028: 'ALREADY_COMPLETE',
    6029: 'MGMT_COMMAND_NOT_CANCELLABLE',
  },
  500: {
    5210: 'ESPRIM_DECRYPTION_ERROR',
    5211: 'ESPRIM_ENCRYPTION_ERROR',
    5212: 'SPARQL_UPDATE_ERROR',
    5216: 'JOIN_MULTICAST_GROUP_FAILED',
    5217: 'LEAVE_MULTICAST_GROUP_FAILED',
    5221: 'CROSS_RESOURCE_OPERATION_FAILURE',
    5230: 'ONTOLOGY_MAPPING_ALGORITHM_FAILED',
    5231: 'ONTOLOGY_CONVERSION_FAILED',
    5232: 'REASONING_PROCESSING_FAILED',
    6020: 'MGMT_SESSION_CANNOT_BE_ESTABLISHED',
    6021: 'MGMT_SESSION_ESTABLISHMENT_TIMEOUT',
    6025: 'MGMT_CONVERSION_ERROR',
    6026: 'MGMT_CANCELLATION_FAILED',
    6033: 'NETWORK_QOS_CONFIG_ERROR',
  },
  501: {
    5206: 'NON_BLOCKING_SYNCH_REQUEST_NOT_SUPPORTED',
  },
  504: {
    6030: 'EXTERNAL_OBJECT_NOT_REACHABLE_BEFORE_RQET_TIMEOUT',
    6031: 'EXTERNAL_OBJECT_NOT_REACHABLE_BEFORE_OET_TIMEOUT',
  },
};

for (const [http, codes] of Object.entries(ofOthers)) {
  for (const [code, name] of Object.entries(codes)) status(Number(code), Number(http), name);
}

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
