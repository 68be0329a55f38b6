import { renameSync, writeFileSync } from 'node:fs';
import { loadRequirements } from '../engine/catalogue.ts';
import { UsageError } from '../engine/diagnostics.ts';
import { prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import type { Passed } from './passed.ts';
import { type ProxyOptions, startProxy } from './proxy.ts';
import { scenarioText } from './scenario-text.ts';

export interface RecordOptions extends Pick<ProxyOptions, 'port' | 'address' | 'tls' | 'timeout' | 'onLost'> {
  readonly target: UrlChoice;
  /** The scenario file; written anew with each request that passed, so that nothing is lost. */
  readonly out: string;
  /** After each request, with the number of those that passed. */
  readonly onRecorded?: (count: number, passed: Passed) => void;
}

export interface Recorder {
  /** What clients are to use in place of the target's. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a proxy that writes what passes through it as a scenario file. Rejects with a UsageError for what cannot be used. */
export async function record(options: RecordOptions): Promise<Recorder> {
  const target = await prepareUrl(options.target);
  const { dialect = 'documented', admin } = options.target;
  const catalogue = loadRequirements();
  const all: Passed[] = [];
  const write = () => {
    const named = { ...(admin !== undefined && { admin }) };
    writeWholeFile(
      options.out,
      scenarioText({ passed: all, description: target.description, dialect, catalogue, ...named }),
    );
  };
  write();
  return startProxy({
    ...options,
    target,
    onPassed(passed) {
      all.push(passed);
      try {
        write();
      } catch (error) {
        options.onLost(error instanceof Error ? error.message : String(error));
      }
      options.onRecorded?.(all.length, passed);
    },
  });
}

/** Readers never see half a file. */
function writeWholeFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
