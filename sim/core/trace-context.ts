/** W3C Trace Context, level 2: which request of another system caused this one. Passed on as received; none is generated. */

export interface Trace {
  /** 32 hexadecimal digits, the same for all consequences of one cause. */
  readonly id: string;
  /** 16 hexadecimal digits that identify the carrying request. */
  readonly parent: string;
  /** Two hexadecimal digits: sampled (1), random trace id (2). */
  readonly flags: string;
  /** `tracestate`, as received. */
  readonly state?: string;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Flags that the specification defines; all others must be sent as zero (clause 3.2.2.5). */
const definedFlags = 0x03;
/** Later versions may append fields to the flags (clause 3.2.4). */
const form =
  /^(?!ff)(?:00(?=.{53}$)|(?!00)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;
/** Clause 3.3.1: up to 32 members `key=value`, including empty ones. */
const member = /^(?:[a-z\d][a-z\d_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e])?$/;
const maxMembers = 32;

/** Header names in lower case. Undefined without a well-formed `traceparent`; a malformed `tracestate` is left out. */
export function readTrace({ traceparent, tracestate = '' }: Headers): Trace | undefined {
  const [, id, parent, flags] = form.exec(traceparent?.trim() ?? '') ?? [];
  if (id === undefined || parent === undefined || flags === undefined) return undefined;
  const members = tracestate.split(',').map((one) => one.trim());
  const isSound = members.length <= maxMembers && members.every((one) => member.test(one)) && members.some(Boolean);
  const known = (Number.parseInt(flags, 16) & definedFlags).toString(16).padStart(2, '0');
  return { id, parent, flags: known, ...(isSound && { state: tracestate.trim() }) };
}

/** The trace of a caused request, with an identifier of its own, made of eight random letters and digits. */
export function childTrace(trace: Trace, randomText: (length: number) => string): Trace {
  const parent = [...randomText(8)].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return { ...trace, parent };
}

export const traceHeaders = ({ id, parent, flags, state }: Trace): Record<string, string> => ({
  traceparent: `00-${id}-${parent}-${flags}`,
  ...(state !== undefined && { tracestate: state }),
});
