/** The claims of target files in the form of TS-0017: written, and taken in. */
import { readFileSync } from 'node:fs';
import { type Document, isMap, isScalar, parseDocument } from 'yaml';
import { ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { readSource } from '../engine/files/source-file.ts';
import { icsRowsOf, icsText } from '../ics/ics-form.ts';
import { profileCalled } from '../ics/profiles.ts';
import { type ReadIcs, readIcs } from '../ics/read-ics.ts';
import { readTargetFile, targetFilePath } from './read-target-file.ts';

/** What a target file, or that of a product, claims. A profile says what is mandatory. Throws as `readTargetFile` and `profileCalled` do. */
export function claimsForm(target: string, profile?: string): string {
  const { choice } = readTargetFile(targetFilePath(target));
  const { statement = { of: target, claims: {} }, dialect = 'documented' } = choice;
  const named = profile ?? choice.profile;
  return icsText(icsRowsOf(statement, dialect, named === undefined ? [] : profileCalled(named).demands));
}

/** A target file with the claims of a form in it. Throws as `readIcs` and `withClaims` do. */
export function applyForm(form: string, file: string) {
  const { claims, unused } = readIcs(form);
  return { ...withClaims(file, claims), claims: claims.size, unused };
}

type Claim = 'yes' | 'no' | { readonly no: string };

/**
 * The text of a target file with these claims in it, and which of them are new or other ones; comments, order and all else stay.
 * The file is not written. Throws ScenarioFilesError for one that is no YAML, or no map.
 */
export function withClaims(file: string, claims: ReadIcs['claims']): { text: string; changed: string[] } {
  const { source, problems } = readSource(file);
  if (source === undefined) throw new ScenarioFilesError(problems);
  const text = readFileSync(file, 'utf8');
  const document = parseDocument(text);
  if (!isMap(document.contents)) throw new ScenarioFilesError([source.problem([], 'expected a map')]);
  const changed = [...claims].flatMap(([id, claim]) => (setClaim(document, id, claim) ? id : []));
  const edited = () => document.toString({ lineWidth: 0, flowCollectionPadding: true });
  return { text: changed.length === 0 ? text : edited(), changed };
}

/** Whether it says something else than before. A reason that stands there already says more than a bare `no`. */
function setClaim(document: Document, id: string, claim: Claim): boolean {
  const before = document.getIn(['implements', id], true);
  const was: unknown = isMap(before) ? before.toJSON() : isScalar(before) ? before.value : undefined;
  if (JSON.stringify(was) === JSON.stringify(claim) || (claim === 'no' && isMap(before))) return false;
  if (isScalar(before) && typeof claim === 'string') before.value = claim;
  else document.setIn(['implements', id], document.createNode(claim, { flow: true }));
  return true;
}
