/** Signs: texts that failures with the same cause have in common. */
import type { Normalise } from '../../baseline/normalise.ts';
import { viewOf, viewOfRequest } from '../../engine/judging/answer.ts';
import { noNotification } from '../../engine/judging/expectation.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { CheckResult, StepResult } from '../../engine/results/result.ts';
import { typeNames } from '../observation/resource-types.ts';

export interface FailedCheck {
  readonly check: Pick<CheckResult, 'actual' | 'expected' | 'byRule'>;
  readonly step: Pick<StepResult, 'exchange'>;
  readonly normalise: Normalise;
  readonly requirement: string;
  readonly section: string;
}

/**
 * A value that is wrong in the same way for the same operation and resource type (a text: anywhere); one text in place of another,
 * in whatever attribute; any wrong value within a family; the same statement about another operation or resource type.
 * A status alone says little: both the actual and the expected one must be the same, within the same family.
 */
export function signsOf(failed: FailedCheck): string[] {
  const parts = partsIn(failed.check.actual);
  const values = parts.filter(({ subject }) => isValue(subject));
  return values.length > 0
    ? values.flatMap((part) => valueSigns(part, failed))
    : [...parts.flatMap((part) => outcomeSigns(part, failed)), ...wholeSigns(failed)];
}

/** A refusal in place of the aggregated response of a group of which only some members refuse (TS-0004 7.4.14.2). */
function wholeSigns({ check, step }: FailedCheck): string[] {
  const isOfSome = check.expected.some((one) => /m2m:rsp (?:contains an element|has the length)/.test(one));
  return isOfSome && /body is \{"m2m:dbg"/.test(check.actual) ? [sign('whole', operationIn(step))] : [];
}

function valueSigns({ subject, says }: Part, failed: FailedCheck): string[] {
  const { requirement, step, normalise } = failed;
  const normalised = normalise(says);
  const anywhere = subject.startsWith('header') || normalised.includes('"');
  const request = requestLabel(step);
  return [
    sign('value', subject, normalised, anywhere ? '' : request),
    sign('values', subject, familyOf(requirement), subject.startsWith('header') ? '' : request),
    sign('statement', subject, normalised, assertionIn(requirement)),
    ...parameterSigns(subject, normalised, step),
    ...textSigns(subject, normalised, failed),
  ];
}

/** A parameter of a notification: a header, or a member if it comes through a polling channel (TS-0004 6.4.1). */
function parameterSigns(subject: string, normalised: string, step: FailedCheck['step']): string[] {
  const [, header] = /^header X-M2M-(\S+) of (?:the )?notification/i.exec(subject) ?? [];
  const isHandedOn = step.exchange !== undefined && viewOf(step.exchange).root === 'm2m:rqp';
  const [, member] = (isHandedOn && /^attribute (\S+)$/.exec(subject)) || [];
  const name = (header ?? member)?.toLowerCase();
  return name === undefined ? [] : [sign('parameter', name, normalised)];
}

/** The actual text, and the one expected instead. */
function textSigns(subject: string, normalised: string, { check, normalise }: FailedCheck): string[] {
  const expected = check.expected.flatMap(partsIn).filter((part) => part.subject === subject);
  const pairs = expected.map(({ says }) => [...textsIn(normalise(says)), ...textsIn(normalised)]);
  return pairs.filter((texts) => texts.length === 2 && texts[0] !== texts[1]).map((texts) => sign('text', ...texts));
}

function textsIn(says: string): string[] {
  return says.match(/"[^"]*"/g) ?? [];
}

function outcomeSigns({ subject, says }: Part, { requirement, section, check, step }: FailedCheck): string[] {
  const family = familyOf(requirement);
  const request = requestLabel(step);
  if (subject === 'discovery result') return [sign(subject, family, request)];
  if (subject === 'number of notifications') {
    const counted = areNotifications.has(family) ? 'std.notification' : family;
    return [sign(subject, counted, isMore(says, check.expected))];
  }
  if (subject === noNotification) return isNarrow(family) ? [sign('number of notifications', family, 'fewer')] : [];
  const permitted = check.expected.flatMap(codesIn).filter((one) => one !== unsupported);
  return [
    sign('outcome', says, family, request),
    ...(check.byRule ? [sign('rule', says, says.startsWith('2') ? request : '')] : []),
    ...permitted.map((one) => sign('statement', says.replace(/^2.*/, 'accepted'), one, assertionIn(requirement))),
    ...permitted
      .filter((one) => !/^2/.test(one) && !vague.has(one))
      .map((one) => sign('instead', says, one, common.has(one) ? section : '', request)),
  ];
}

interface Part {
  /** Such as `attribute ct`, or `RSC`. */
  readonly subject: string;
  readonly says: string;
}

const subject =
  /^((?:attribute|header) \S+(?: of (?:the (?:notification|request)|notification \d+))?|number of notifications|discovery result|RSC|status) (.*)$/s;

function partsIn(actual: string): Part[] {
  return actual.split('; ').flatMap((sentence) => {
    if (sentence === noNotification) return [{ subject: noNotification, says: '' }];
    const [, name = '', says = ''] = subject.exec(sentence) ?? [];
    return name === '' ? [] : [{ subject: name, says }];
  });
}

function isValue(name: string): boolean {
  return name.startsWith('attribute ') || name.startsWith('header ');
}

/** A CSE may refuse with this code whatever it does not support. */
const unsupported = '5001';
/** Codes for any invalid request. */
const vague = new Set(['400', '4000']);
/** Codes with a few reasons; every other code has one. */
const common = new Set(['403', '404', '405', '4103', '4004', '4005']);

/** The codes at the beginning of a sentence, such as `RSC 4000 or 5001`. */
function codesIn(expected: string): string[] {
  const [list] = /^(?:RSC|status) (?:\d{3,4}(?:, | or )?)+/.exec(expected) ?? [];
  return list?.match(/\d+/g) ?? [];
}

function isMore(says: string, expected: readonly string[]): string {
  const permitted = expected.flatMap((one) => /number of notifications is (\d+)/.exec(one)?.[1] ?? []);
  const [count = '0'] = /\d+/.exec(says) ?? [];
  return permitted.every((one) => Number(count) > Number(one)) ? 'more' : 'fewer';
}

/** The operation, with the resource type if the exchange names it. */
function requestLabel(step: FailedCheck['step']): string {
  const { exchange } = step;
  return exchange === undefined ? operationIn(step) : `${operationIn(step)} ${rootIn(exchange)}`;
}

function operationIn({ exchange }: FailedCheck['step']): string {
  if (exchange === undefined) return 'received';
  const { method, path } = exchange.request;
  return method === 'GET' && /[?&]fu=1(&|$)/.test(path) ? 'discover' : method;
}

/** The refused request with its code, such as `POST m2m:sub 4000`; undefined if nothing was refused. */
export function refusalIn(step: FailedCheck['step']): string | undefined {
  const { answer } = step.exchange ?? {};
  if (step.exchange === undefined || answer === undefined || answer.status < 400) return undefined;
  return `${requestLabel(step)} ${viewOf(step.exchange).rsc ?? answer.status}`;
}

/** Whether a refusal with another code would be right. */
export function mayRefuse({ expected }: Pick<CheckResult, 'expected'>): boolean {
  return expected.flatMap(codesIn).some((code) => !code.startsWith('2'));
}

function rootIn(exchange: Exchange): string | undefined {
  const roots = [viewOfRequest(exchange.request).root, viewOf(exchange).root];
  return roots.find((root) => root !== undefined && root !== 'm2m:dbg');
}

/** Speaks of who does what, while the rest of its family speaks of the resource. */
const standAlone = new Set(['std.criteria.operation-monitor']);

/** Requirements whose ids differ only in the last word form a family, except directly below `std`. */
export function familyOf(requirement: string): string {
  if (standAlone.has(requirement)) return requirement;
  const family = requirement.slice(0, Math.max(requirement.lastIndexOf('.'), 0));
  return family === 'std' ? requirement : family;
}

/** Families about when notifications are sent, and to whom. */
const areNotifications = new Set(['std.notification', 'std.notification.event', 'std.criteria']);

/** Whether a requirement about notifications presupposes the other one, which is about the event itself. */
export function presupposes(requirement: string, other: string): boolean {
  const [own, event] = [familyOf(requirement), familyOf(other)];
  return event === 'std.notification.event' && own !== event && areNotifications.has(own);
}

/** Whether a family is about one thing; the family of all notifications is not. */
function isNarrow(family: string): boolean {
  return family.split('.').length > 2;
}

const operations = ['create', 'retrieve', 'update', 'delete'];
const addresses = ['sp-relative', 'latest'];
const variable = new Set<string>([...operations, ...addresses, 'common', ...typeNames]);

/** The statement of a requirement, without resource type, operation and form of address. */
function assertionIn(requirement: string): string {
  return requirement
    .split('.')
    .filter((word) => !variable.has(word))
    .join('.');
}

function sign(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
