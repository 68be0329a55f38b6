import { unlinkSync } from 'node:fs';
import { summaryOf } from '../engine/judging/answer.ts';
import { type Address, pathOf, resolveAddress } from '../engine/messages/address.ts';
import type { MemberName, OriginatorOutcome } from '../engine/targets/installation.ts';
import type { Parties } from '../engine/targets/reach-url.ts';
import { type CleanUpContext, hasRemoved, type Removal, read } from './clean-up-requests.ts';
import { guardRun, holdingsOf } from './guard.ts';
import { addToLedger, isInUse, isOfThisMachine, type ReadLedger, readLedgerOf } from './ledger-file.ts';
import { listingOf } from './listing.ts';
import { isName } from './reported-paths.ts';
import { isChildOfBase, removeOne, type SweepOptions } from './sweep.ts';

export interface VacateOptions {
  readonly on: MemberName;
  readonly originator: string;
  /** How the target is read. */
  readonly context: CleanUpContext;
  /** The targets without the guard of this run. */
  readonly parties: Parties;
  /** How this run removes its own resources. */
  readonly own: SweepOptions;
  /** Directory of the ledgers. */
  readonly ledgers: string | undefined;
}

/** Why an application entity stays, and what the user can do. */
interface KeptReason {
  readonly why: string;
  readonly remedy: string;
  readonly busy?: true;
}

interface RemovableOwner {
  readonly run: string;
  readonly remove: () => Promise<Removal>;
  /** Removes it from the ledger, or a ledger with nothing else. */
  readonly forget: () => void;
}

/**
 * Finds the application entity of an originator, and removes it if this run certainly created it, or a run that is over and
 * whose ledger has it: nothing that `cselab cleanup` would not remove.
 */
export async function vacate(options: VacateOptions): Promise<OriginatorOutcome> {
  const { originator, context } = options;
  const found = await registeredAs(originator, context);
  if (found === undefined) return { kind: 'nobody' };
  const owner = ownerOf(found, options);
  if ('why' in owner) return conflictWith(found, originator, owner);
  const removal = await owner.remove();
  const left = await registeredAs(originator, context);
  const isStuck = removal.why !== undefined || left?.path === found.path;
  if (isStuck) return conflictWith(found, originator, stuck(owner, removal));
  if (hasRemoved(removal)) owner.forget();
  const says = `${registrationText(found)}, left by run ${owner.run} of cselab, was registered as ${originator} and has been removed`;
  return { kind: 'freed', says };
}

/** The owner of an application entity that may be removed, or why it stays. */
function ownerOf({ path }: Registered, options: VacateOptions): RemovableOwner | KeptReason {
  const { own, on, ledgers } = options;
  const run = /\/cl-([0-9a-z]{7})-[^/]*$/.exec(path)?.[1];
  if (run === undefined) return { why: 'which no run of cselab has created', remedy: 'deregister it, if it is yours' };
  if (run === own.run) return heldAt(path, on, own);
  const ledger = ledgers === undefined ? undefined : readLedgerOf(ledgers, run);
  return ledger === undefined ? unknown(run) : ownerByLedger(ledger, path, options);
}

function ownerByLedger(
  ledger: ReadLedger,
  path: string,
  { on, context, parties, originator }: VacateOptions,
): RemovableOwner | KeptReason {
  const { head } = ledger;
  const { run, host, pid } = head;
  if (!isOfThisMachine(head)) return { why: `of run ${run} of cselab on ${host}`, remedy: whenOver(run) };
  if (isInUse(head))
    return { why: `of run ${run} of cselab, which goes on (process ${pid})`, remedy: 'let it end first', busy: true };
  const { url, cseId, base } = context.target.description;
  const cse = head[on];
  if (cse?.url !== url || cse.cseId !== cseId || cse.base !== base)
    return { why: `left by run ${run} of cselab`, remedy: whenOver(run) };
  const holdings = holdingsOf(ledger);
  // Its originator may be a secret, which no ledger contains.
  const speaker = { ...parties, admin: parties.admin ?? originator };
  const { sweepOptions } = guardRun(head, holdings, speaker, { letter: 'c' });
  const forget = () => {
    if (holdings.left().length === 0) unlinkSync(ledger.path);
    else addToLedger(ledger.path, { kind: 'gone', on, path });
  };
  return heldAt(path, on, sweepOptions, forget);
}

function heldAt(path: string, on: MemberName, options: SweepOptions, forget = () => {}): RemovableOwner | KeptReason {
  const { run, holdings } = options;
  const holding = holdings.at(resolveAddress(path, holdings.namesOf(on)));
  return holding === undefined ? unknown(run) : { run, remove: () => removeOne(holding, options), forget };
}

function unknown(run: string): KeptReason {
  return { why: `left by run ${run} of cselab, of which no ledger is here`, remedy: whenOver(run) };
}

function whenOver(run: string): string {
  return `cselab cleanup --run ${run} removes it, where that run keeps its ledger`;
}

function stuck({ run }: RemovableOwner, { exchange, why }: Removal): KeptReason {
  const said = why ?? `${exchange && summaryOf(exchange)}, and yet it is there`;
  return {
    why: `left by run ${run} of cselab, and its removal was answered by ${said}`,
    remedy: 'have whoever runs the target remove it',
  };
}

function conflictWith(found: Registered, originator: string, { why, remedy, busy }: KeptReason): OriginatorOutcome {
  const says = `${originator} is registered already: ${registrationText(found)}, ${why}`;
  return { kind: 'taken', says, remedy, ...(busy && { busy }) };
}

function registrationText({ path, since }: Registered): string {
  return since === undefined ? path : `${path}, since ${since}`;
}

/** An application entity, as the target shows it. */
interface Registered {
  /** By its name. */
  readonly path: string;
  /** When it was created, as the target writes it. */
  readonly since?: string;
}

/** Most application entities to read. */
const mostLooks = 200;

/** The application entity of an originator, by reads alone; undefined if none is found. */
async function registeredAs(originator: string, context: CleanUpContext): Promise<Registered | undefined> {
  const { description } = context.target;
  const identifier = stemOf(originator);
  const direct = { cseId: description.cseId, segments: [identifier] };
  let seen = await seenAt(direct, identifier, context);
  if (seen !== undefined) return seen;
  for (const address of await candidates(context)) seen ??= await seenAt(address, identifier, context);
  return seen;
}

/** The AE-ID-Stem (TS-0001 7.2): the last part of every form of an AE-ID. */
function stemOf(identifier: string): string {
  return identifier.split('/').at(-1) ?? '';
}

/** By type, and if the target shows none by it, all that is below its base; those of cselab first. */
async function candidates(context: CleanUpContext): Promise<Address[]> {
  const { description } = context.target;
  for (const criteria of ['&ty=2', '']) {
    const { addresses } = await listingOf(context, undefined, criteria);
    const children = [...addresses.values()].filter((one) => isChildOfBase(one, description));
    const isOfCselab = ({ segments }: Address) => segments.at(-1)?.startsWith('cl-') === true;
    const sorted = [...children.filter(isOfCselab), ...children.filter((one) => !isOfCselab(one))];
    if (sorted.length > 0) return sorted.slice(0, mostLooks);
  }
  return [];
}

async function seenAt(address: Address, identifier: string, context: CleanUpContext): Promise<Registered | undefined> {
  const { description } = context.target;
  const { view } = await read(pathOf(address, description), context);
  const { aei, ri, rn, ct } = view?.attributes ?? {};
  const own = [aei, ri].find(isName);
  if (view?.root !== 'm2m:ae' || own === undefined || stemOf(own) !== identifier) return undefined;
  const byName = isName(rn) ? { ...address, segments: [description.base, rn] } : address;
  return { path: pathOf(byName, description), ...(isName(ct) && { since: ct }) };
}
