/** What the options of `cselab up` say. */
export interface UpOptions {
  /** A configuration file; false: none is started. */
  gateway?: string | false;
  backend?: string | false;
  gateways: number;
  port?: number;
  backendPort?: number;
  interface?: string;
  /** URL by which others reach the first CSE. */
  ownUrl?: string;
  /** URL of a backend that runs elsewhere. */
  registerAt?: string;
  /** Directory of certificates. */
  certs?: string;
  https?: true;
  requireCert?: true;
  dialect?: 'documented' | 'onem2m';
  base?: string;
  cseId?: string;
  spId?: string;
  /** Originator that may do everything. */
  admin?: string;
  /** Originators that may register, separated by commas. */
  registrars?: string;
  /** Releases, separated by commas. */
  release?: string;
  accessControl?: boolean;
  /** Seconds. */
  lifetime?: number;
  /** Seconds. */
  longestLifetime?: number;
  /** Expiration times are only shown. */
  keepExpired?: boolean;
  /** `name=number`. */
  limit?: string[];
  /** Origins of pages. */
  cors?: string[];
  /** Networks to which nothing is sent. */
  notifyDeny?: string[];
  tree?: string;
  /** A file of simulated devices. */
  traffic?: string;
  /** Name of a product. */
  as?: string;
  /** Ids of deviations, and files of rows. */
  deviation?: string[];
  /** What is to be in what is listed; true: everything is listed. */
  listDeviations?: string | true;
  /** What `deviation` and `listDeviations` were called before. */
  fault?: string[];
  listFaults?: string | true;
  latency?: string;
  jitter?: string;
  /** Rules, each as a text. */
  break?: string[];
  seed?: number;
  adminPort?: number;
  adminToken?: string;
  healthPort?: number;
  manualClock?: true;
  /** Port of the page, or true for a free one. */
  console?: number | true;
  log?: 'live' | 'plain' | 'json';
  verbose?: true;
}

/** The address cannot be listened on: taken, not allowed, or not this machine's. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: unknown) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const advice = code === 'EADDRINUSE' ? 'something else listens there; choose another port' : code;
    super(`cannot listen on ${host} port ${port}: ${advice}`, { cause });
  }
}

type Mistake = new (...texts: string[]) => Error;

/** What `read` gives. What it throws of these kinds is a mistake of the user: an UpOptionsError that names the flag. */
export function ofFlag<Value>(flag: string, kinds: readonly Mistake[], read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof Error && kinds.some((kind) => error instanceof kind)
      ? new UpOptionsError(`${flag}: ${error.message}`)
      : error;
  }
}

/** Flags that contradict each other, or the files, or that say something that cannot be. */
export class UpOptionsError extends Error {
  override readonly name = 'UpOptionsError';
}
