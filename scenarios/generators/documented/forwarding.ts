import { loadRequirements } from '../../engine/files/catalogue.ts';
import type { Site } from '../../engine/running/installation.ts';
import type { ForwardingWords } from '../family.ts';
import { type Expected, expected, sameAs, textOf, whenPresent } from '../model/expected.ts';
import { type Attempt, ask, type Came, type Move } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import { namesToChoose } from '../operations/arbitraries.ts';
import type { Operation } from '../operations/documented.ts';
import { directly, expectationsThrough, otherSite, requirementOf, sites, type WayThrough } from '../pair/through.ts';

type Grounds = Readonly<Record<Site, Ground>>;

/** What requests through the other CSE are answered is a gap; what comes of them is read directly, and shown through the other CSE as well. */
export function forwarding(grounds: Grounds): ForwardingWords<Operation> {
  const { requirements } = loadRequirements();
  const isDocumented = (requirement: string) => requirements.get(requirement)?.level === 'documented';
  return {
    prepared,
    answered: (attempt, way, before) => {
      const expectations = !isVouchedFor(attempt.by, way, grounds)
        ? []
        : before === undefined
          ? expectationsThrough(attempt.expectations, attempt.step, way, isDocumented)
          : asBefore(attempt, way, before);
      return { expect: 'either', expectations };
    },
    *confirm(attempt, { view }, way) {
      const path = changed(attempt);
      if (path === undefined) return;
      const expectations = [...sameAs(view), ...creator(attempt, way, grounds)];
      const { kind = 'CSE base' } = attempt.about;
      const operation = 'look at what was asked through the other CSE';
      yield directly(ask({ retrieve: path }, operation, expectations, { kind }), way.at);
    },
    lookAtRegistrations: () => lookAtRegistrations(grounds),
  };
}

/** Of each CSE, as the other one holds it. */
function* lookAtRegistrations(grounds: Grounds): Move {
  for (const site of sites) {
    const { model, plain } = grounds[site];
    const { cseId } = grounds[otherSite(site)].model.names;
    const step = { retrieve: `/${model.names.base}/${cseId}` };
    yield directly(ask(step, 'look at the registration', registrationOf(cseId, site, plain)), site);
  }
}

/** The same as its own CSE has answered just before; a refusal arrives as it is. */
function asBefore({ step }: Attempt, way: WayThrough, { outcome, view }: Came): Expected[] {
  if (outcome === 'lost') return [];
  if (outcome === 'refused') return [expected('forwarding.errors', { status: view.status ?? 404 })];
  const requirement = way.through === 'absolute' ? 'forwarding.absolute-form' : requirementOf(step, way);
  return [expected(requirement, { status: 200, ...listed(view) }), ...sameAs(view)];
}

/** How addresses are written is a gap. */
function listed({ found }: Came['view']) {
  if (found === undefined) return {};
  const each = found.map((one) => ({ contains: { 'ends with': String(one).split('/').at(-1) ?? '' } }));
  return { found: { 'when present': { 'all of': [{ length: found.length }, ...each] } } };
}

/** Over TLS a CSE speaks for itself and for those below it: whoever belongs to another may be refused. */
function isVouchedFor(by: string, { at }: WayThrough, grounds: Grounds): boolean {
  const { plain, anyOriginator, originator } = grounds[at];
  const entry = otherSite(at);
  if (plain || (anyOriginator && originator === undefined && (by !== 'visitor' || entry === 'gateway'))) return true;
  const { cseId, spId } = grounds[entry].model.names;
  return originator?.startsWith(`//${spId}/${cseId}/`) === true;
}

/** The originator arrives in its absolute form. */
function creator({ step, by }: Attempt, { at }: WayThrough, grounds: Grounds): Expected[] {
  if (!('create' in step) || step.create !== 'container') return [];
  const { model, anyOriginator } = grounds[at];
  const { cseId, spId } = grounds[otherSite(at)].model.names;
  const { label } = model.names;
  if (!anyOriginator) {
    const own = ['nobody', `//${spId}/${cseId}`];
    return [whenPresent('forwarding.mutual-tls', 'cr', { not: { 'one of': own } })];
  }
  if (by === 'nobody') return [];
  const gateway = grounds.gateway.model.names.cseId;
  const originator = by === 'visitor' ? `//${spId}/${gateway}/${label}` : `//${spId}/${cseId}/C${label}-guest`;
  return [textOf('forwarding.originator', 'cr', originator)];
}

/** With a name of its own, by which it can be looked for, and in the form of path to which the name of the CSE is added. */
function prepared(operation: Operation): Operation {
  if (operation.does === 'create') return { ...operation, name: operation.name % namesToChoose, form: 'structured' };
  return 'form' in operation ? { ...operation, form: 'structured' } : operation;
}

/** The path of what an attempt creates or changes. */
function changed({ step, about }: Attempt): string | undefined {
  if ('update' in step) return step.update;
  const name = 'create' in step && about.operation === 'create' ? step.attributes?.rn : undefined;
  return 'create' in step && typeof name === 'string' ? `${step.in}/${name}` : undefined;
}

function registrationOf(cseId: string, site: Site, plain: boolean): Expected[] {
  const shown = { status: 200, root: 'm2m:csr', attributes: { csi: `/${cseId}` } };
  const labels = whenPresent('registration.labels', 'lbl', { every: { is: 'text' } });
  return [
    expected(`registration.exchange.at-${site}`, shown),
    ...(site === 'backend' ? [labels] : []),
    ...(plain ? [] : [whenPresent('registration.https-scheme', 'poa', { every: { 'starts with': 'https://' } })]),
  ];
}
