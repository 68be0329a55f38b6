import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { OutgoingRequest } from '../../dialects/outgoing-message.ts';
import { type Attributes, resourceAtPath } from '../../faults/vocabulary/asked.ts';
import { changingRequests } from '../../faults/vocabulary/blocks.ts';
import { changingSent, signalIn, subscriptionOf, telling } from '../../faults/vocabulary/changed-notifications.ts';
import { describing, toBeCreated } from '../../faults/vocabulary/changed-requests.ts';
import { describedIn, isObject } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';
import { sendLiterally } from './send-literally.ts';

/** `net` of TS-0004, clause 6.3.4.2.19. */
const blockingUpdate = 7;

/** What tinyIoT sends. */
export const notifications: readonly Quirk[] = [
  {
    id: 'subscription.without-target',
    says: 'A subscription without nu is created.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": SUB without nu',
    violates: { onem2m: ['std.subscription.target.mandatory'] },
    wrap: changingRequests((request) => {
      const { root, attributes } = toBeCreated(request) ?? {};
      if (root !== 'm2m:sub' || attributes?.nu !== undefined) return undefined;
      // The reference CSE wants a target; the originator is never asked whether it accepts to be one.
      const { 'x-m2m-origin': originator = '' } = request.headers;
      return describing(request, { root, attributes: { ...attributes, nu: [originator] } });
    }),
  },
  {
    id: 'notification.identifier-constant',
    says: 'The request identifier of each notification is the word notify.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": notification, X-M2M-RI',
    violates: {},
    because:
      'The requirement asks that a notification has an identifier; that it is another one each time no check sees.',
    wrapSender: changingSent((request) => ({ ...request, headers: { ...request.headers, 'X-M2M-RI': 'notify' } })),
  },
  {
    id: 'notification.modified-without-labels',
    says: 'With content type 2 nothing but st and lt is notified.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": nct=2',
    violates: { onem2m: ['std.notification.modified-attributes'] },
    wrapSender: changingNotified(2, (representation) => {
      for (const [root, attributes] of Object.entries(representation)) {
        const { st, lt } = attributes as Attributes;
        representation[root] = { st, lt };
      }
    }),
  },
  {
    id: 'notification.address-of-parent',
    says: 'With content type 3 the address of the subscribed resource is notified.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": nct=3',
    violates: {},
    because:
      'Of an update it is a URI of the resource (TS-0004 7.5.1.2.2, step 2.1); of a new child nobody asks with nct 3.',
    wrapSender: changingNotified(3, (representation, subscribed) => {
      representation['m2m:uri'] = subscribed;
    }),
  },
  {
    id: 'subscription-deletion.reference-in-event',
    says: 'Who is told of the end of a subscription finds its name in the event, in place of beside sud.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": Deletion',
    violates: { onem2m: ['std.subscription-deletion.content'] },
    wrapSender: changingSent((request) => {
      const notification = signalIn(request);
      if (notification?.sud !== true) return undefined;
      return telling(request, { nev: { net: 2, sur: notification.sur }, sud: true });
    }),
  },
  {
    id: 'verification.with-event',
    says: 'The question whether a target accepts a subscription holds an event.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": verification, plus nev',
    violates: {},
    because: 'Nothing forbids an event beside vrq (TS-0004 7.5.1.2.3).',
    wrapSender: changingSent((request) => {
      const question = questionIn(request);
      return question && telling(request, { ...question, nev: { net: 1 } });
    }),
  },
  {
    id: 'verification.unsaid-code',
    says: 'An answer to the question without a response status code counts as a refusal.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": answer without X-M2M-RSC',
    violates: {},
    because: 'Each answer of the harness has one.',
    wrapSender: (sender) => ({
      send: async (baseUrl, request, signal) => {
        const answer = await sender.send(baseUrl, request, signal);
        if (questionIn(request) === undefined || answer.headers['x-m2m-rsc'] !== undefined) return answer;
        return { ...answer, status: 400, headers: { ...answer.headers, 'x-m2m-rsc': '4000' } };
      },
    }),
  },
  {
    id: 'verification.wrong-path',
    says: 'The question is sent to the address of the subscribed resource, without a slash before it.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": wrong request target',
    violates: { onem2m: ['std.notification.well-formed'] },
    wrap: changingRequests((request, { path }, core) => {
      const { root, attributes } = describedIn(request.body) ?? {};
      const targets = root === 'm2m:sub' && Array.isArray(attributes?.nu) ? attributes.nu : [];
      for (const target of targets) subscribedAt(core).set(target, resourceAtPath(path, core)?.path ?? path);
      return undefined;
    }),
    wrapSender: (sender, core) => ({
      send: (baseUrl, request, signal) => {
        const subscribed = subscribedAt(core).get(`${baseUrl}${request.target}`);
        if (questionIn(request) === undefined || subscribed === undefined) return sender.send(baseUrl, request, signal);
        return sendLiterally(baseUrl, { ...request, target: subscribed });
      },
    }),
  },
  {
    id: 'notification.structured-reference',
    says: 'A notification names its subscription by names from the CSE base down.',
    notes: 'tinyiot-mobius.md, 2, "Subscriptions": notification, sur',
    violates: {},
    because: 'A structured address is one too.',
    wrapSender: changingSent((request, _, core) => {
      const notification = signalIn(request);
      const subscription = notification && subscriptionOf(notification, core);
      if (subscription === undefined) return undefined;
      return telling(request, { ...notification, sur: subscription.path });
    }),
  },
];

/** The question that a request asks. */
function questionIn(request: OutgoingRequest): Attributes | undefined {
  const notification = signalIn(request);
  return notification?.vrq === true ? notification : undefined;
}

/** Changes, in place, the representation in the notifications of subscriptions with this content type. */
function changingNotified(
  contentType: number,
  change: (representation: Attributes, subscribed: string) => void,
): NonNullable<Quirk['wrapSender']> {
  return changingSent((request, _, core) => {
    const notification = signalIn(request);
    const subscription = notification && subscriptionOf(notification, core);
    const representation = isObject(notification?.nev) ? notification.nev.rep : undefined;
    if (notification === undefined || subscription?.values.nct !== contentType) return undefined;
    if (!isObject(representation) || isGuard(subscription)) return undefined;
    change(representation, subscription.parent?.path ?? '');
    return telling(request, notification);
  });
}

/** Whether its target is asked before an update, of which the notes say nothing. */
function isGuard({ values }: Resource): boolean {
  const { net } = isObject(values.enc) ? values.enc : {};
  return Array.isArray(net) && net.includes(blockingUpdate);
}

const subscribed = new WeakMap<Cse, Map<unknown, string>>();

/** The paths of what was subscribed to, by the targets of the subscriptions. */
function subscribedAt(core: Cse): Map<unknown, string> {
  const known = subscribed.get(core) ?? new Map<unknown, string>();
  subscribed.set(core, known);
  return known;
}
