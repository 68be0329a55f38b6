/** What the standard says of the ways to address a resource, broken. */

import { CREATED, NOT_FOUND, OK, TARGET_NOT_REACHABLE } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { resourceAtPath } from '../vocabulary/asked.ts';
import { elsewhere } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { codingAs, failure, refusingThose, rewriting } from '../vocabulary/standard-changes.ts';
import { all, deletes, type Exchange, reads, updates, type Which } from '../vocabulary/standard-wanted.ts';

type Scope = 'cse-relative' | 'sp-relative' | 'absolute';

interface Form {
  readonly scope: Scope;
  /** Behind the scope. */
  readonly segments: readonly string[];
}

function formOf({ path }: Exchange): Form {
  const segments = path.slice(1).split('/');
  if (segments[0] === '~') return { scope: 'sp-relative', segments: segments.slice(2) };
  if (segments[0] === '_') return { scope: 'absolute', segments: segments.slice(3) };
  return { scope: 'cse-relative', segments };
}

const isBase = (name: string | undefined, { core }: Exchange) => name === core.configuration.base || name === '-';

const structured =
  (scope: Scope): Which =>
  (exchange) => {
    const form = formOf(exchange);
    return form.scope === scope && isBase(form.segments[0], exchange);
  };

const byIdentifier =
  (scope: Scope): Which =>
  (exchange) => {
    const form = formOf(exchange);
    return form.scope === scope && form.segments.length === 1 && !isBase(form.segments[0], exchange);
  };

const belowIdentifier =
  (isMeant: (names: readonly string[]) => boolean): Which =>
  (exchange) => {
    const [first, ...names] = formOf(exchange).segments;
    return names.length > 0 && !isBase(first, exchange) && isMeant(names);
  };

const withDash =
  (scope?: Scope): Which =>
  (exchange) => {
    const form = formOf(exchange);
    return form.segments[0] === '-' && (scope === undefined || form.scope === scope);
  };

/** `/~/id-in-nowhere/…` names another CSE than this one. */
const ofAnother: Which = ({ path, core }) => {
  const [, named] = /^\/~\/([^/]+)\//.exec(path) ?? [];
  return named !== undefined && named !== core.configuration.cseId;
};

const longNamed: Which = ({ path }) => /\/[^/]{6,}$/.test(path);

export const addresses: readonly Fault[] = [
  breaking(
    'std.address.structured.cse-relative',
    'delete',
    'A container whose name has six letters or more is not found where a path of names alone asks for its removal.',
    refusingThose(all(deletes('m2m:cnt'), structured('cse-relative'), longNamed), NOT_FOUND),
  ),
  breaking(
    'std.address.structured.sp-relative',
    'update',
    'An update by a path of names behind /~/ and the CSE-ID finds nothing.',
    refusingThose(all(updates(), structured('sp-relative')), NOT_FOUND),
  ),
  breaking(
    'std.address.structured.sp-relative',
    'delete',
    'A delete by a path of names behind /~/ and the CSE-ID finds nothing.',
    refusingThose(all(deletes(), structured('sp-relative')), NOT_FOUND),
  ),
  breaking(
    'std.address.structured.absolute',
    'update',
    'An update by a path of names behind /_/, service provider and CSE-ID finds nothing.',
    refusingThose(all(updates(), structured('absolute')), NOT_FOUND),
  ),
  breaking(
    'std.address.structured.absolute',
    'create.ok',
    'A create at a path of names behind /_/, service provider and CSE-ID is answered with 2000.',
    codingAs(structured('absolute'), CREATED, OK),
  ),
  breaking(
    'std.address.unstructured.cse-relative',
    'update',
    'An update by a resource identifier alone finds nothing.',
    refusingThose(all(updates(), byIdentifier('cse-relative')), NOT_FOUND),
  ),
  breaking(
    'std.address.unstructured.sp-relative',
    'delete',
    'A delete by a resource identifier behind /~/ and the CSE-ID finds nothing.',
    refusingThose(all(deletes(), byIdentifier('sp-relative')), NOT_FOUND),
  ),
  breaking(
    'std.address.unstructured.absolute',
    'update',
    'An update by a resource identifier behind /_/, service provider and CSE-ID finds nothing.',
    refusingThose(all(updates(), byIdentifier('absolute')), NOT_FOUND),
  ),
  breaking(
    'std.address.virtual-below-identifier',
    'not-found',
    'la and ol are not found behind the identifier of a container.',
    refusingThose(
      belowIdentifier((names) => names.length === 1 && /^(la|ol)$/.test(names[0] ?? '')),
      NOT_FOUND,
    ),
  ),
  breaking(
    'std.address.name-below-identifier',
    'not-found',
    'A resource is not found by two names or more behind a resource identifier.',
    refusingThose(
      belowIdentifier((names) => names.length > 1),
      NOT_FOUND,
    ),
  ),
  breaking(
    'std.address.dash',
    'not-known',
    'A dash does not stand for the name of the CSE base.',
    refusingThose(withDash(), NOT_FOUND),
  ),
  breaking(
    'std.address.dash',
    'not-absolute',
    'A dash does not stand for the name of the CSE base behind /_/, service provider and CSE-ID.',
    refusingThose(withDash('absolute'), NOT_FOUND),
  ),
  breaking(
    'std.address.case',
    'small-letters',
    'Where nothing is at a path that is read, what is at the same path in small letters is answered.',
    rewriting(reads(), ({ request, path, target, core }) => {
      const small = path.toLowerCase();
      const isThere = target === undefined && small !== path && resourceAtPath(small, core) !== undefined;
      return isThere ? elsewhere(request, small) : undefined;
    }),
  ),
  breaking(
    'std.address.unknown-cse',
    'prefix',
    'A CSE-ID that begins with that of the CSE is taken for it.',
    rewriting(ofAnother, ({ request, path, core }) => {
      const { cseId } = core.configuration;
      const [, rest] = new RegExp(`^/~/${cseId}[^/]+(/.*)$`).exec(path) ?? [];
      return rest === undefined ? undefined : elsewhere(request, `/~/${cseId}${rest}`);
    }),
  ),
  breaking(
    'std.address.unknown-cse',
    'fails',
    'A resource of a CSE that nobody knows is answered with 5000.',
    (service, core) =>
      codingAs(ofAnother, TARGET_NOT_REACHABLE, failure)(codingAs(ofAnother, NOT_FOUND, failure)(service, core), core),
  ),
];
