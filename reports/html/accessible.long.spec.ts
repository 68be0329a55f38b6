/** Reports as people see them who see little, or use no pointer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { axeFindings, tabOrder } from '../../.ci/accessible.ts';
import { runDocument } from '../check/run-document.ts';
import { compareDocument } from '../compare/compare-document.ts';
import { comparisonOf } from '../compare/comparison.ts';
import { renderPage } from '../document/html.tsx';
import type { Document } from '../document/model.ts';
import { drawnDocument } from '../mutants/drawn-document.ts';
import { generatedDocument } from '../mutants/generated-document.ts';
import { killDocument } from '../mutants/kill-document.ts';
import { sampleDrawn } from '../mutants/testing/sample-drawn.ts';
import { sampleGenerated } from '../mutants/testing/sample-generated.ts';
import { sampleTable } from '../mutants/testing/sample-table.ts';
import { conformantRun, sampleRun } from '../testing/sample-run.ts';
import { skippedWithoutBrowser } from './testing/browser.ts';

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);
test.setTimeout(90_000);

const other = { ...conformantRun, target: { ...conformantRun.target, product: 'Other' } };
const documents: ReadonlyArray<readonly [name: string, of: () => Document]> = [
  ['a run that passed', () => runDocument(conformantRun)],
  ['a run with failures', () => runDocument(sampleRun)],
  ['two targets', () => compareDocument(comparisonOf([sampleRun, other], { all: true }))],
  ['two runs', () => compareDocument(comparisonOf([conformantRun, sampleRun], { all: false, runs: true }))],
  ['the kill table', () => killDocument(sampleTable)],
  ['what was drawn', () => drawnDocument(sampleDrawn)],
  ['generated sequences', () => generatedDocument(sampleGenerated)],
];

for (const colorScheme of ['light', 'dark'] as const)
  for (const [name, of] of documents)
    test(`everybody can use the report of ${name} when it is ${colorScheme}`, async ({ browser }) => {
      const directory = mkdtempSync(join(tmpdir(), 'cselab-accessible-'));
      const file = join(directory, 'report.html');
      writeFileSync(file, renderPage(of()));
      const page = await browser.newPage({ colorScheme });
      await page.goto(pathToFileURL(file).href);
      const closed = page.locator('[role=tabpanel]:not([hidden]) details:not([open])');
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        // What unfolds holds more to unfold.
        while ((await closed.count()) > 0) {
          await closed.evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));
          await expect(page.locator('details[open] > template')).toHaveCount(0);
        }
        const view = (await tab.textContent()) ?? '';
        expect(await axeFindings(page), view).toEqual([]);
        const { reached, all } = await tabOrder(page);
        expect(reached, view).toEqual(all);
      }
      await page.close();
      rmSync(directory, { recursive: true });
    });
