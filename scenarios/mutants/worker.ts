/** A process that judges the mutants that it is sent, one after the other. What it loads, it keeps. */
import type { Mutant } from './mutant.ts';
import { see } from './see.ts';

process.on('message', (mutant) => {
  see(mutant as Mutant).then(
    (sight) => process.send?.({ sight }),
    (error: unknown) =>
      process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
// Ctrl-C at a terminal reaches every process; who sent the mutants decides what comes of it.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
