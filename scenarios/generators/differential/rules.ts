/** Everything in which two answers may differ without being told. */

interface Rule {
  readonly says: string;
  /** Requirements that leave it open, where the catalogue has any. */
  readonly gaps?: readonly string[];
}

/** Something that may differ without being told, and in how many comparisons it did. */
export interface Normalised extends Rule {
  readonly rule: RuleId;
  readonly times: number;
}

const rules = {
  'own names': {
    says: 'names and labels that the run gives, and the names of the CSE base, of the CSE and of the service provider',
  },
  identifiers: {
    says: 'identifiers (ri, pi, aei, cr): which request first showed them is compared',
    gaps: ['ae.aei.generated', 'ae.aei.from-originator'],
  },
  'given names': {
    says: 'names that a target makes up: which request first showed them is compared',
    gaps: ['content-instance.rn.assigned-differs', 'container.create.without-rn'],
  },
  addresses: {
    says: 'the form of addresses in lists (discovery, ch): what they lead to is compared',
    gaps: [
      'discovery.result.cse-relative-addresses',
      'discovery.result.sp-relative-addresses',
      'discovery.result.absolute-addresses',
    ],
  },
  'order of lists': {
    says: 'the order of what a discovery finds, of ch and of labels',
    gaps: ['discovery.result.creation-order'],
  },
  times: {
    says: 'times: whether ct is now and stays, whether lt and et come before ct is compared',
    gaps: ['common.et.default-lifetime', 'common.lt.equals-ct-at-first'],
  },
  'request identifiers': {
    says: 'request identifiers: whether the answer repeats that of the request is compared',
    gaps: ['headers.request-identifier.echoed'],
  },
  headers: {
    says: 'the case of the names of headers, parameters of media types, and all headers but Content-Type, Content-Location, X-M2M-RI, X-M2M-RSC and X-M2M-RVI',
  },
  'absent or empty': {
    says: 'an attribute that is null or an empty list is as one that is absent',
    gaps: ['ae.create.null-and-empty', 'container.create.null-and-empty', 'ae.ch.without-children'],
  },
  refusals: { says: 'the body with which a request is refused', gaps: ['errors.body'] },
  'CSE base': { says: 'what the CSE base shows beside its type and its identifier' },
  lifetime: {
    says: 'the time after which what stands directly below the CSE base expires: one is asked of targets with a URL only',
  },
} as const satisfies Readonly<Record<string, Rule>>;

type RuleId = keyof typeof rules;

/** How often each of them had something to do. */
export class RulesUsed {
  readonly #times = new Map<RuleId, number>();

  note(rule: RuleId): void {
    this.#times.set(rule, (this.#times.get(rule) ?? 0) + 1);
  }

  /** Those that had anything to do. */
  all(): Normalised[] {
    return (Object.keys(rules) as RuleId[]).flatMap((rule) => {
      const times = this.#times.get(rule);
      return times === undefined ? [] : [{ rule, ...rules[rule], times }];
    });
  }
}
