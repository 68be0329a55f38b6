/** Finds sequences of requests that show a deviation: the CSE with it answers one of them differently from the sound one. */
import fc from 'fast-check';
import type { CseConfiguration } from '../core/configuration.ts';
import type { RequestPrimitive, ResponsePrimitive } from '../core/primitive.ts';
import type { DialectName, ResourceType } from '../core/resource-type.ts';
import { statuses } from '../core/status.ts';
import { createCse } from '../cse/create-cse.ts';
import { isAddressed } from '../deviations/drawn/drawable.ts';
import type { DrawnAddressForm, DrawnDeviation } from '../deviations/drawn/drawn-deviation.ts';
import { type GeneratedRequest, sequencesOf } from '../deviations/drawn/generated-requests.ts';
import { installedIn, rowOf } from '../deviations/drawn/operators.ts';
import { reordered } from '../deviations/drawn/varying.ts';
import type { Attributes } from '../deviations/vocabulary/messages.ts';
import { isObject } from '../dialects/body.ts';
import { httpMessenger } from '../dialects/messenger.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { manualClock } from '../environment/clock.ts';
import { deliver } from '../topology/joined-pair.ts';
import { installedWitnessOf } from './installed-witness.ts';

export interface Witness {
  /** The requests; the answers to the last one differ. */
  readonly requests: readonly string[];
  readonly sound: string;
  readonly deviating: string;
}

export interface WitnessOptions {
  readonly dialect: DialectName;
  readonly seed: number;
  /** Sequences; 300 when absent. */
  readonly runs?: number;
}

/** The shortest found; undefined without any: the deviation may have no effect. */
export async function witnessOf(
  deviations: readonly DrawnDeviation[],
  { dialect, seed, runs = 300 }: WitnessOptions,
): Promise<Witness | undefined> {
  const [only] = deviations;
  const about = only === undefined ? undefined : installedIn(only)?.operator.about;
  if (deviations.length === 1 && only !== undefined && about !== undefined && about !== 'any exchange')
    return installedWitnessOf(only, dialect);
  const sequences = sequencesOf(only?.when ?? {}, dialect);
  let found: Witness | undefined;
  const property = fc.asyncProperty(sequences, async (steps) => {
    const difference = await differenceOn(steps, deviations, dialect);
    if (difference !== undefined) found = difference;
    return difference === undefined;
  });
  await fc.check(property, { seed, numRuns: runs });
  return found;
}

/** Time advances by a second with each request, at both. */
async function differenceOn(
  steps: readonly GeneratedRequest[],
  deviations: readonly DrawnDeviation[],
  dialect: DialectName,
): Promise<Witness | undefined> {
  const one = setUp(dialect);
  const other = setUp(dialect, deviations);
  const script = new RequestScript(one.cse.core.configuration);
  const requests: string[] = [];
  // The codes of refusals matter only for deviations about them.
  const isAboutRefusals = deviations.some(({ does }) => 'refuse' in does);
  for (const step of steps) {
    const request = script.requestOf(step);
    await Promise.all([one.clock.advance('1s'), other.clock.advance('1s')]);
    const [sound, deviant] = await Promise.all([one.ask(request), other.ask(request)]);
    requests.push(wordsOf(request));
    const [right, wrong] = [sound, deviant].map((answer) => textOf(answer, request)) as [string, string];
    if (right !== wrong && (isSuccess(sound) || isSuccess(deviant) || isAboutRefusals))
      return { requests, sound: right, deviating: wrong };
    script.record(request, sound);
  }
  return undefined;
}

/** A CSE with reproducible names and times, called in the form of the binding. */
function setUp(dialect: DialectName, deviations: readonly DrawnDeviation[] = []) {
  const clock = manualClock(1_700_000_000_000_000);
  let made = 0;
  const randomText = (length: number) => String(++made).padStart(length, 'r');
  const messenger = { send: async () => ({ status: statuses.OK }) };
  const rows = deviations.map(rowOf);
  const cse = createCse({ dialect, clock, randomText, messenger, deviations: rows, journal: 0 });
  // How another wire would carry the answer.
  let carried: string | undefined;
  const send: Sender['send'] = async (url, sent) => {
    const answer = await deliver(cse.http, url, sent);
    carried = answer.carried;
    return answer;
  };
  const client = httpMessenger({ send }, { dialect, now: () => clock.now() });
  const ask = async (request: RequestPrimitive): Promise<WitnessAnswer> => {
    const answer = await client.send('http://cse.in-process', request);
    return { ...answer, ...(carried && { carried }) };
  };
  return { cse, clock, ask };
}

type WitnessAnswer = ResponsePrimitive & { readonly carried?: string };

/** The body of an answer to a DELETE is not specified, and the order of members is insignificant (RFC 8259, 4). */
function textOf(answer: WitnessAnswer, { operation }: RequestPrimitive): string {
  const content = operation === 'delete' ? undefined : answer.content;
  return `${answer.status.code} ${JSON.stringify(reordered(content, 'sorted')) ?? ''}${answer.carried ?? ''}`;
}

/** Everything that a client must send to get the same answer. */
function wordsOf({ operation, to, from, content, ...request }: RequestPrimitive): string {
  const details = [
    request.filterCriteria && `filter ${JSON.stringify(request.filterCriteria)}`,
    request.resultContent !== undefined && `rcn=${request.resultContent}`,
    content !== undefined && JSON.stringify(content),
  ];
  return [`${operation} ${to} by ${from}`, ...details.filter(Boolean)].join(' ');
}

interface KnownResource {
  readonly path: string;
  readonly id: string;
  readonly root: string;
}

/** Turns generated requests into requests for a CSE, from its answers so far. */
export class RequestScript {
  readonly #cse: CseConfiguration;
  readonly #resources: KnownResource[];
  #names = 0;

  constructor(cse: CseConfiguration) {
    this.#cse = cse;
    this.#resources = [{ path: cse.base, id: cse.base, root: 'm2m:cb' }];
  }

  /** At the newest possible resources, counted backwards. */
  requestOf(step: GeneratedRequest): RequestPrimitive {
    const { operation, by, rcn } = step;
    const type = this.#cse.types.find(({ root }) => root === step.type);
    const resource = this.#resourceFor(step, type);
    const to = this.#addressOf(resource, step.form);
    const from = { from: by, requestIdentifier: 'made-up', releaseVersionIndicator: '3' };
    if (operation === 'discover') return { operation: 'retrieve', to, ...from, filterCriteria: discovery };
    if (operation === 'latest') return { operation: 'retrieve', to: `${to}/la`, ...from };
    const shape = rcn === undefined || operation !== 'retrieve' ? {} : { resultContent: rcn };
    if (operation === 'retrieve' || operation === 'delete') return { operation, to, ...from, ...shape };
    const name = step.named || step.type === 'm2m:ae' ? { rn: `n${++this.#names}` } : {};
    const content = { [step.type]: { ...(operation === 'create' && name), ...step.content } };
    return { operation, to, ...from, content, ...(operation === 'create' && type && { resourceType: type.ty }) };
  }

  /** Records a created resource from a successful answer. */
  record({ operation }: RequestPrimitive, answer: ResponsePrimitive): void {
    const found = operation === 'create' ? resourceIn(answer) : undefined;
    const path = answer.contentLocation ?? this.#pathOf(found?.attributes);
    if (found !== undefined && path !== undefined)
      this.#resources.push({ path, id: String(found.attributes.ri), root: found.root });
  }

  #pathOf(attributes: Readonly<Record<string, unknown>> | undefined): string | undefined {
    const parent = this.#resources.find(({ id }) => id === attributes?.pi) ?? this.#resources[0];
    return attributes === undefined ? undefined : `${parent?.path}/${attributes.rn}`;
  }

  #resourceFor({ operation, type: root, on }: GeneratedRequest, type: ResourceType | undefined): KnownResource {
    const { dialect, types } = this.#cse;
    const fits = (known: KnownResource) => {
      if (!isAddressed(dialect.name, operation, root, known.root)) return false;
      if (operation === 'create') return types.find((one) => one.root === known.root)?.children.includes(type?.ty ?? 0);
      return root === '' || known.root === root;
    };
    const possible = this.#resources.filter(fits).reverse();
    return possible[on % Math.max(1, possible.length)] ?? (this.#resources[0] as KnownResource);
  }

  #addressOf({ path, id }: KnownResource, form: DrawnAddressForm): string {
    const names = path.replace(/^\/\/[^/]+\/[^/]+\/|^\/[^/]+\//, '');
    const bare = id.startsWith('/') ? names : id;
    if (form === 'identifier') return bare;
    const { spId, cseId } = this.#cse;
    return { names, 'SP-relative': `/${cseId}/${names}`, absolute: `//${spId}/${cseId}/${names}` }[form];
  }
}

const discovery = { filterUsage: 1 } as const;

// Values from answers.

function isSuccess({ status }: ResponsePrimitive): boolean {
  return status.code >= 2000 && status.code < 3000;
}

/** The single resource in an answer, with its identifier; undefined for other contents. */
function resourceIn(answer: ResponsePrimitive): { readonly root: string; readonly attributes: Attributes } | undefined {
  const content = isSuccess(answer) ? answer.content : undefined;
  const [[root, attributes] = [], ...more] = isObject(content) ? Object.entries(content) : [];
  return root !== undefined && isObject(attributes) && typeof attributes.ri === 'string' && more.length === 0
    ? { root, attributes }
    : undefined;
}
