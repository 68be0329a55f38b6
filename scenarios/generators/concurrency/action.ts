/** What originators do at the same time, as plain data: each action names what it speaks of, whether or not it is there by then. */

/** Containers below the application entity of a program; a third one has the name that the service makes up. */
export const containerNames = ['c', 'd'] as const;
export const instanceNames = ['x', 'y'] as const;
/** What content instances hold. */
export const contents = ['a', 'bb', 'ccc'] as const;
export const labelNames = ['red', 'blue'] as const;

/** Indexes into the names above; null where the service is to make a name up. */
export type Action =
  | { readonly does: 'create application entity' }
  | {
      readonly does: 'create container';
      readonly name: number | null;
      readonly labels: readonly number[];
      /** Most content instances. */
      readonly mni: number | null;
    }
  | {
      readonly does: 'create content instance';
      readonly container: number;
      readonly name: number | null;
      readonly content: number;
    }
  | { readonly does: 'retrieve' | 'delete'; readonly what: Place }
  | { readonly does: 'update'; readonly container: number; readonly labels: readonly number[] }
  | { readonly does: 'retrieve newest' | 'retrieve oldest'; readonly container: number }
  | { readonly does: 'discover'; readonly label: number };

/** The application entity, one of its containers, or a content instance in one of them. */
export interface Place {
  readonly container: number | null;
  readonly instance: number | null;
}

export interface Turn {
  /** How long to wait before: turns of the event loop in process, milliseconds elsewhere. */
  readonly pause: number;
  readonly action: Action;
}

/** What is done one after the other, and then the lists of what each originator does, at the same time. */
export interface Program {
  readonly before: readonly Action[];
  readonly originators: ReadonlyArray<readonly Turn[]>;
}

export function actionsIn({ before, originators }: Program): number {
  return before.length + originators.reduce((sum, turns) => sum + turns.length, 0);
}
