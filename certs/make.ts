/**
 * `npx tsx certs/make.ts`: makes the certificates of this folder anew. `cselab certs make` makes others elsewhere.
 * Importing this file runs it: what programs need is `makePki` in pki.ts.
 */
import { makePki } from './pki.ts';
import { shipped, shippedHolders } from './shipped.ts';
import { writePki } from './write.ts';

/** Twenty years: a test that fails because a certificate has expired tells nobody anything. */
const days = 20 * 365;

const pki = await makePki({ holders: shippedHolders, refused: shippedHolders['test-ae'], days });
for (const path of await writePki(pki, shipped.path, { force: true })) console.log(path);
