/** What is put into the report of a test, so that its failure can be understood. */
import { type TestInfo, test } from '@playwright/test';
import { type NearMiss, nearMissText, warnOnce } from '../interception/near-miss.ts';
import type { RequestJournal } from '../journal/journal.ts';

/** Warns on the console, once of each mistake, and notes it in the test that runs, where one does. */
export function noteNearMiss(): (miss: NearMiss) => void {
  const warn = warnOnce();
  const said = new Set<string>();
  return (miss) => {
    warn(miss);
    if (said.has(miss.says)) return;
    said.add(miss.says);
    runningTest()?.annotations.push({ type: 'near miss', description: nearMissText(miss) });
  };
}

/** When the test has failed: what came to a CSE, and what it answered, as a text attached to the test. */
export async function attachRequests(info: TestInfo, name: string, requests: RequestJournal): Promise<void> {
  if (info.status === info.expectedStatus) return;
  const forgotten = requests.dropped === 0 ? [] : [`${requests.dropped} older ones were dropped`];
  const lines = requests.entries.map((entry) => `no. ${entry.number}  ${entry}`);
  const body = [...forgotten, ...lines].join('\n') || 'No request came.';
  await info.attach(`requests at the ${name}`, { body, contentType: 'text/plain' });
}

function runningTest(): TestInfo | undefined {
  try {
    return test.info();
  } catch {
    return undefined;
  }
}
