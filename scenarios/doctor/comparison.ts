/** Compares the CSE base with the configuration. */

import type { Exchange } from '../engine/results/exchange.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import type { Base } from '../probe/find-base.ts';
import { quoted } from '../probe/finding.ts';
import { cseIdIn, dialectOf, identityOf, spIdIn } from '../probe/identity.ts';
import { clockAhead } from '../probe/wording.ts';
import { elsewhere, right, type SetupRemark, setting, unknown, wrong } from './remark.ts';

export function baseRemark(base: Base, { choice, description }: PreparedUrl): SetupRemark {
  const about = 'CSE base';
  const here = base.prefix === '' ? `/${base.name}` : `${base.prefix}/${base.name}`;
  if (base.prefix !== '') {
    const says = `it answers behind ${base.prefix} only, as ${here}`;
    const url = `${description.url}${base.prefix}`;
    return wrong(about, says, setting(`--url ${url} --base ${base.name}`, 'url', url));
  }
  if (base.name === description.base) return right(about, `it is ${here}: ${base.answer.evidence}`);
  const change = setting(`--base ${base.name}`, 'base', base.name);
  if (choice.base === undefined)
    return unknown(about, `it is ${here}, which is not configured; a run would look for it`, change);
  return wrong(about, `it is ${here}, and not /${description.base}`, change);
}

export function dialectRemark(base: Base, { choice }: PreparedUrl): SetupRemark {
  const { dialect, finding } = dialectOf(base);
  const { dialect: configured = 'documented' } = choice;
  const because = finding.evidence.replace(/^.*; /, '');
  if (dialect === configured) return right('dialect', `it is ${dialect}: ${because}`);
  const says = `it looks like ${dialect}, and not ${configured}: ${because}`;
  return wrong('dialect', says, setting(`--dialect ${dialect}`, 'dialect', dialect));
}

export function identityRemarks({ attributes }: Pick<Base, 'attributes'>, { choice }: PreparedUrl): SetupRemark[] {
  const names = [
    { about: 'CSE-ID', flag: '--cse-id', key: 'cse id', configured: choice.cseId, reported: cseIdIn(attributes) },
    { about: 'SP-ID', flag: '--sp-id', key: 'sp id', configured: choice.spId, reported: spIdIn(attributes) },
  ];
  return names.map(({ about, flag, key, reported, ...written }) => {
    const configured = written.configured?.replace(/^\/+/, '');
    if (reported === undefined) {
      const says = `its CSE base does not report it${configured === undefined ? '' : `; ${configured} is assumed`}`;
      return configured === undefined ? unknown(about, says, setting(`${flag} ID`, key, 'ID')) : unknown(about, says);
    }
    if (configured === undefined || configured === reported) return right(about, `it is ${reported}`);
    return wrong(about, `it is ${reported}, and not ${configured}`, setting(`${flag} ${reported}`, key, reported));
  });
}

/** `accepted`: the release with which the base was read. */
export function releaseRemarks(accepted: string, base: Base, { choice }: PreparedUrl): SetupRemark[] {
  const about = 'release';
  const { releases: listed } = identityOf(base);
  const { dialect = 'documented', release: configured = '3' } = choice;
  if (dialect === 'documented') return [];
  const isAccepted = accepted === configured;
  const known = listed.length > 0 && !listed.includes(configured) ? listed.at(-1) : undefined;
  const other = isAccepted ? known : accepted;
  if (other === undefined) return [right(about, `it accepts requests of release ${configured}`)];
  const refused = `it refuses requests of release ${configured}`;
  const why = isAccepted ? `srv of its CSE base lists ${listed.join(', ')}` : refused;
  return [wrong(about, why, setting(`--release ${other}`, 'release', other))];
}

/** Seconds by which a clock may be wrong. */
const tolerance = 5;
const quarter = 15 * 60;

export function clockRemarks(base: Base, received: number): SetupRemark[] {
  const about = 'clock';
  const clocks = clockAhead(base, received);
  if (clocks.length === 0) return [unknown(about, 'no answer has a time')];
  return clocks.slice(0, 1).map(({ ahead, evidence }) => {
    if (Math.abs(ahead) <= tolerance) return right(about, `it agrees with ours: ${evidence}`);
    const offset = `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} ours: ${evidence}`;
    const rest = Math.abs(ahead - Math.round(ahead / quarter) * quarter);
    const isZone = Math.abs(ahead) > quarter && rest <= 2 * tolerance;
    const inUtc = elsewhere('make the target write times in UTC');
    if (isZone) return wrong('time zone', `it reports local time as UTC, ${offset}`, inUtc);
    return wrong(about, `it is ${offset}`, elsewhere('set the clock of the target, or of this machine, by NTP'));
  });
}

/** Rate limits in answers. */
export function rateRemarks(exchanges: readonly Exchange[]): SetupRemark[] {
  const about = 'rate';
  const refused = exchanges.find(({ answer }) => answer?.status === 429);
  if (refused !== undefined) {
    const says = `it refuses ten requests per second with 429: ${refused.request.method} ${quoted(refused.request.path)}`;
    return [wrong(about, says, setting('--rate 2/s', 'limits.rate', '2/s'))];
  }
  const headers = exchanges.flatMap(({ answer }) => answer?.headers ?? []);
  const limit = headers.find(([name]) => /^(x-)?ratelimit(-limit|-policy)?$/i.test(name));
  if (limit === undefined) return [];
  const change = setting('--rate N/s', 'limits.rate', 'N/s');
  return [unknown(about, `it reports a limit, ${quoted(limit.join(': '))}`, change)];
}
