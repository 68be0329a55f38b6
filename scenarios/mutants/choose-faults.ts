import { createHash } from 'node:crypto';
import { didYouMean, UsageError } from '../engine/files/diagnostics.ts';
import type { FaultFacts } from '../engine/targets/embedded/simulated-faults.ts';

export interface FaultChoice {
  /** Requirements, or what their ids begin with. */
  readonly requirements?: readonly string[];
  /** Faults, or what their ids begin with. */
  readonly ids?: readonly string[];
  /** At most so many of them, those of `first` before the others; the same ones on every machine. */
  readonly sample?: { readonly size: number; readonly first?: ReadonlySet<string> };
}

/** The faults that are chosen, in their order; when nothing is, all but those that are left to generators. Throws UsageError for an id that means none. */
export function chooseFaults(all: readonly FaultFacts[], choice: FaultChoice): FaultFacts[] {
  const { requirements = [], ids = [], sample } = choice;
  const byRequirement = chosenBy('requirement', requirements, all, ({ violates }) => violates);
  const byId = chosenBy('fault', ids, all, ({ id }) => id);
  const chosen = all.filter((fault) =>
    namesNothing(choice) ? fault.sequencesOnly !== true : byRequirement.has(fault) || byId.has(fault),
  );
  return sample === undefined ? chosen : sampled(chosen, sample);
}

/** What a choice that names nothing leaves out. */
export function leftToGenerators(all: readonly FaultFacts[], choice: FaultChoice): FaultFacts[] {
  return namesNothing(choice) ? all.filter(({ sequencesOnly }) => sequencesOnly) : [];
}

function namesNothing({ requirements = [], ids = [] }: FaultChoice): boolean {
  return requirements.length + ids.length === 0;
}

function chosenBy(
  what: string,
  words: readonly string[],
  all: readonly FaultFacts[],
  idOf: (fault: FaultFacts) => string,
): ReadonlySet<FaultFacts> {
  return new Set(
    words.flatMap((word) => {
      const found = all.filter((fault) => isBelow(idOf(fault), word));
      if (found.length > 0) return found;
      const subject = what === 'fault' ? 'is called' : 'breaks a requirement called';
      throw new UsageError(`no fault ${subject} "${word}"${didYouMean(word, all.map(idOf))}`);
    }),
  );
}

function isBelow(id: string, word: string): boolean {
  return id === word || id.startsWith(word.endsWith('.') ? word : `${word}.`);
}

/** By a fingerprint of the id: neighbours in the list are no neighbours in the sample. */
function sampled(faults: readonly FaultFacts[], sample: NonNullable<FaultChoice['sample']>): FaultFacts[] {
  const { size, first = new Set() } = sample;
  const fingerprint = ({ id }: FaultFacts) => createHash('sha256').update(id).digest('hex');
  const rank = (fault: FaultFacts) => `${first.has(fault.id) ? 0 : 1}${fingerprint(fault)}`;
  const ranked = faults.map((fault) => ({ fault, rank: rank(fault) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const kept = new Set(ranked.slice(0, size).map(({ fault }) => fault));
  return faults.filter((fault) => kept.has(fault));
}
