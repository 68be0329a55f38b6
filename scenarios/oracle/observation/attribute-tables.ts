import type { TypeName } from './resource-types.ts';

/** The attribute tables of the standard for a resource type, by short name (TS-0004 7.4, TS-0001 9.6). */
interface AttributeTable {
  /** A create may set them, and the CSE keeps the value (TS-0004 7.3.3.5). */
  readonly kept: ReadonlySet<string>;
  /** Of these, the ones that no update may set. */
  readonly fixed: ReadonlySet<string>;
  /** In each representation (multiplicity 1). */
  readonly always: readonly string[];
}

/**
 * Without attributes that the CSE may set differently: expirationTime, limits of containers, announcements, lists that it maintains
 * (hosted applications, attached devices), counters that run down, and switches that trigger something. Types without a row are not
 * checked.
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
/** Resource types without these attributes have the rights of another resource (TS-0001 9.6.2, 9.6.7, 9.6.21, 9.6.37). */
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
      // Instances have no update, so that their labels are fixed, too.
      fixed: new Set([...wordsIn(fixed), ...(type.endsWith('-instance') ? everywhere.kept : [])]),
      // Only the CSE base has no parent and no expiration time (TS-0001 9.6.3).
      always: [...everywhere.always, ...(type === 'base' ? [] : ['pi', 'et']), ...wordsIn(always)],
    };
    return [type, table] as const;
  }),
);

function wordsIn(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** Attributes of every flexible container; others belong to its specialization (TS-0004 7.4.37). */
const ofAnyFlexContainer = new Set(
  wordsIn(
    'rn ty ri pi ct lt et acpi daci at aa ast lbl cr cstn st cs cnd or nl loc fcied fcin cni cbs mni mbs mia dgt',
  ),
);

/** Limits of containers. */
export const limits = ['mni', 'mbs', 'mia'] as const;

/** The CSE may change a requested limit, but must keep one (TS-0004 7.4.6.2.1). */
export function isLimit(name: string): boolean {
  return limits.some((one) => one === name);
}

/** Whether the CSE keeps the value of a create or an update. */
export function isKept(type: string, name: string, isUpdate = false): boolean {
  const table = attributeTables.get(type);
  if (table === undefined || (isUpdate && table.fixed.has(name))) return false;
  return table.kept.has(name) || (type === 'flex-container' && !ofAnyFlexContainer.has(name));
}

/**
 * Attributes that only a client knows, without a default in 7.4: absent unless requested (TS-0004 7.3.3.5, multiplicity 0..1).
 * Without limits, policies, facts from elsewhere (external identifiers, states of devices), and derived attributes.
 */
export const clientOnly: ReadonlySet<string> = new Set(
  wordsIn(
    'lbl or apn gn dgt loc conr gpi nfu bn rl psn pn nsp ln su acrs nse eeno ma macp nar csz poa scp tren ape esi dc mgca nty egid dcnt',
  ),
);

/** Attributes whose values are addresses, which have several forms (TS-0001 7.2). */
export const references: ReadonlySet<string> = new Set(
  wordsIn(
    'acpi daci cstn adri apri airi nl esi macp mid hcl hsl gpi nfu su acrs awi cmlk obis obps lnh nu conr spi ici',
  ),
);
