/** Converts between the claims of target files and the form of TS-0017. */
import { readFileSync } from 'node:fs';
import { type Document, isMap, isScalar, parseDocument } from 'yaml';
import { ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { readSource } from '../engine/files/source-file.ts';
import { icsRowsOf, icsText } from '../ics/ics-form.ts';
import { profileCalled } from '../ics/profiles.ts';
import { type ReadIcs, readIcs } from '../ics/read-ics.ts';
import { readTargetFile, targetFilePath } from './read-target-file.ts';

/** The claims of a target file or product as a form. A profile decides what is mandatory. Throws as `readTargetFile` and `profileCalled` do. */
export function claimsForm(target: string, profile?: string): string {
  const { choice } = readTargetFile(targetFilePath(target));
  const { ics = { of: target, claims: {} }, dialect = 'documented' } = choice;
  const named = profile ?? choice.profile;
  return icsText(icsRowsOf(ics, dialect, named === undefined ? [] : profileCalled(named).demands));
}

/** A target file with the claims of a form in it. Throws as `readIcs` and `withClaims` do. */
export function applyForm(form: string, file: string) {
  const { claims, unused } = readIcs(form);
  return { ...withClaims(file, claims), claims: claims.size, unused };
}

type Claim = 'yes' | 'no' | { readonly no: string };

/**
 * The text of a target file with these claims, and the ids of changed ones; comments, order and the rest stay. Does not write the
 * file. Throws ScenarioFilesError if it is no YAML, or no map.
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

/** Whether the claim changed. An existing reason stays for a bare `no`. */
function setClaim(document: Document, id: string, claim: Claim): boolean {
  const before = document.getIn(['implements', id], true);
  const was: unknown = isMap(before) ? before.toJSON() : isScalar(before) ? before.value : undefined;
  if (JSON.stringify(was) === JSON.stringify(claim) || (claim === 'no' && isMap(before))) return false;
  if (isScalar(before) && typeof claim === 'string') before.value = claim;
  else document.setIn(['implements', id], document.createNode(claim, { flow: true }));
  return true;
}
