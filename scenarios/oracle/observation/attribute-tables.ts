import type { TypeName } from './resource-types.ts';

/** What the tables of the standard say of the attributes of a type, by short name (TS-0004 7.4, TS-0001 9.6). */
interface AttributeTable {
  /** A create may give them, and the value that was given counts (TS-0004 7.3.3.5). */
  readonly kept: ReadonlySet<string>;
  /** Those of them that no update may give. */
  readonly fixed: ReadonlySet<string>;
  /** In each representation, whoever gave them (multiplicity 1). */
  readonly always: readonly string[];
}

/**
 * What the CSE may set otherwise than asked for is in none of them: expirationTime, the limits of containers, announcements, lists that it
 * keeps up itself (hosted applications, attached devices), counters that run down, and switches that set something off. Of a type
 * without a row no attribute is judged.
 */
type Row = readonly [kept: string, fixed?: string, always?: string];
const rows: Readonly<Partial<Record<TypeName | 'base', Row>>> = {
  base: ['', '', 'csi srt'],
  policy: ['pv pvs adri apri airi', '', 'pv pvs'],
  ae: ['apn api rr poa or nl csz srv mei tri regs trps scp tren ape esi loc', 'api', 'aei api rr'],
  container: ['or disr loc', '', 'cni cbs st'],
  'content-instance': ['cnf con or conr dgt loc dcnt', 'cnf con or conr dgt loc dcnt', 'cs st'],
  group: ['mnm mid macp gn nar csy spty', 'csy spty', 'mt cnm mnm mid'],
  'remote-cse': ['cb csi cst poa rr mei tri nl csz srv spi ici dcse trn egid tren ape esi', 'cb csi cst', 'cb csi rr'],
  node: ['ni hcl hsl mgca nty', '', 'ni'],
  'polling-channel': ['rqag'],
  subscription: ['enc exc nu gpi nfu bn rl psn pn nsp ln nct nec su acrs nse eeno ma', 'psn su', 'nu'],
  firmware: ['mgd obis obps dc mgs cmlk vr fwn url', 'mgd obis obps mgs', 'mgd'],
  software: ['mgd obis obps dc mgs cmlk vr swn url', 'mgd obis obps mgs', 'mgd'],
  memory: ['mgd obis obps dc mgs cmlk mma mmt', 'mgd obis obps mgs', 'mgd'],
  'area-network-info': ['mgd obis obps dc mgs cmlk ant', 'mgd obis obps mgs', 'mgd'],
  'area-network-device-info': ['mgd obis obps dc mgs cmlk dvd dvt awi sli sld ss lnh', 'mgd obis obps mgs', 'mgd'],
  battery: ['mgd obis obps dc mgs cmlk btl bts', 'mgd obis obps mgs', 'mgd'],
  'device-info': [
    'mgd obis obps dc mgs cmlk dlb man mfdl mfd mod smod dty dvnm fwv swv hwv osv cnty syst spur purl ptl',
    'mgd obis obps mgs hwv cnty',
    'mgd',
  ],
  'device-capability': ['mgd obis obps dc mgs cmlk can att cus', 'mgd obis obps mgs', 'mgd'],
  reboot: ['mgd obis obps dc mgs cmlk', 'mgd obis obps mgs', 'mgd'],
  'event-log': ['mgd obis obps dc mgs cmlk lgt lgd', 'mgd obis obps mgs', 'mgd'],
  'time-series': ['cnf or pei peid mdd mdn mdt loc', 'cnf', 'cni cbs'],
  'time-series-instance': ['dgt con snr loc', 'dgt con snr loc', 'dgt con cs'],
  'flex-container': ['cnd or nl fcied dgt loc', 'cnd', 'cnd cs st'],
};

const everywhere = { kept: ['lbl'], always: ['ri', 'rn', 'ty', 'ct', 'lt'] };
/** Those whose rights follow others have none of their own (TS-0001 9.6.2, 9.6.7, 9.6.21, 9.6.37). */
const controlled = ['acpi', 'daci', 'cstn'];
const uncontrolled: ReadonlySet<string> = new Set([
  'base',
  'policy',
  'polling-channel',
  'content-instance',
  'time-series-instance',
]);

export const attributeTables: ReadonlyMap<string, AttributeTable> = new Map(
  Object.entries(rows).map(([type, [kept, fixed = '', always = '']]) => {
    const table = {
      kept: new Set([...everywhere.kept, ...(uncontrolled.has(type) ? [] : controlled), ...wordsIn(kept)]),
      // What has no update at all keeps its labels too.
      fixed: new Set([...wordsIn(fixed), ...(type.endsWith('-instance') ? everywhere.kept : [])]),
      // Only the CSE base has no parent, and no end (TS-0001 9.6.3).
      always: [...everywhere.always, ...(type === 'base' ? [] : ['pi', 'et']), ...wordsIn(always)],
    };
    return [type, table] as const;
  }),
);

function wordsIn(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** Attributes of any flexible container, those of the CSE among them; what else one has is of its definition (TS-0004 7.4.37). */
const ofAnyFlexContainer = new Set(
  wordsIn(
    'rn ty ri pi ct lt et acpi daci at aa ast lbl cr cstn st cs cnd or nl loc fcied fcin cni cbs mni mbs mia dgt',
  ),
);

/** Limits of containers. */
export const limits = ['mni', 'mbs', 'mia'] as const;

/** The CSE may set a limit otherwise, but it is there once it was given (TS-0004 7.4.6.2.1). */
export function isLimit(name: string): boolean {
  return limits.some((one) => one === name);
}

/** Whether a value that a create or an update gives is the one that is shown from then on. */
export function isKept(type: string, name: string, isUpdate = false): boolean {
  const table = attributeTables.get(type);
  if (table === undefined || (isUpdate && table.fixed.has(name))) return false;
  return table.kept.has(name) || (type === 'flex-container' && !ofAnyFlexContainer.has(name));
}

/**
 * What nobody but a client knows, and no clause of 7.4 gives a default: not given, it is not there (TS-0004 7.3.3.5, multiplicity 0..1).
 * Left out are limits, policies, what is found out elsewhere (external identifiers, states of devices), and what is derived.
 */
export const clientOnly: ReadonlySet<string> = new Set(
  wordsIn(
    'lbl or apn gn dgt loc conr gpi nfu bn rl psn pn nsp ln su acrs nse eeno ma macp nar csz poa scp tren ape esi dc mgca nty egid dcnt',
  ),
);

/** Attributes whose values name resources, which can be written in several forms (TS-0001 7.2). */
export const references: ReadonlySet<string> = new Set(
  wordsIn(
    'acpi daci cstn adri apri airi nl esi macp mid hcl hsl gpi nfu su acrs awi cmlk obis obps lnh nu conr spi ici',
  ),
);
