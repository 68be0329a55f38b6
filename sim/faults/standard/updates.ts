/** What the standard says of updating, broken. */

import { BAD_REQUEST, OK, OPERATION_NOT_ALLOWED, UPDATED } from '../../core/status.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import {
  codingAs,
  describingOtherwise,
  overlooking,
  refusingThose,
  showingAs,
} from '../vocabulary/standard-changes.ts';
import { all, Exchange, gives, updates, type Which } from '../vocabulary/standard-wanted.ts';
import { Told } from '../vocabulary/told.ts';

const channel = updates('m2m:pch');
const container = updates('m2m:cnt');

const labelled: Which = ({ target }) => target?.labels !== undefined;
const unlabelled: Which = ({ target }) => target?.labels === undefined;
const givesLabels: Which = ({ sent }) => Array.isArray(sent?.attributes.lbl);
const takesLabels: Which = ({ sent }) => sent?.attributes.lbl === null;
const alone: Which = ({ sent }) => Object.keys(sent?.attributes ?? {}).length === 1;
const withOthers: Which = (exchange) => !alone(exchange);

/** From these updates on, done or refused, the resource is read with other attributes. */
function tellingAfter(which: Which, wanted: 'done' | 'refused', tell: (exchange: Exchange) => Attributes): Wrap {
  return (service, core) => {
    const told = new Told();
    return handling(async (request) => {
      const exchange = new Exchange(request, core);
      const id = which(exchange) ? exchange.target?.id : undefined;
      const attributes = id === undefined ? undefined : tell(exchange);
      const answer = await service.handle(request);
      if (attributes !== undefined && isSuccess(answer) === (wanted === 'done')) {
        told.say(id, attributes);
        return answer;
      }
      return request.method === 'GET' ? told.in(answer) : answer;
    })(service, core);
  };
}

const answeringOldLabels: Wrap = handling(async (request, service, core) => {
  const exchange = new Exchange(request, core);
  const before = all(channel, givesLabels, labelled)(exchange) ? exchange.target?.labels : undefined;
  if (before === undefined) return service.handle(request);
  return showingAs(
    () => true,
    'lbl',
    () => before,
  )(service, core).handle(request);
});

export const updating: readonly Fault[] = [
  breaking(
    'std.update.change',
    'old-answered',
    'An update of the labels of a polling channel is answered with those that it had.',
    answeringOldLabels,
  ),
  breaking(
    'std.update.change',
    'not-allowed',
    'An update of the labels of a polling channel that has some is refused with 4005.',
    refusingThose(all(channel, givesLabels, labelled, alone), OPERATION_NOT_ALLOWED),
  ),
  breaking(
    'std.update.change.kept',
    'old-read',
    'A polling channel whose labels have been changed is read with those that it had.',
    tellingAfter(all(channel, givesLabels, labelled), 'done', ({ target }) => ({ lbl: target?.labels })),
  ),
  breaking(
    'std.update.add',
    'ok',
    'An update that gives labels to a polling channel that has none is answered with 2000.',
    codingAs(all(channel, givesLabels, unlabelled), UPDATED, OK),
  ),
  breaking(
    'std.update.add',
    'bad-request',
    'An update that gives labels to a polling channel that has none is refused with 4000.',
    refusingThose(all(channel, givesLabels, unlabelled), BAD_REQUEST),
  ),
  breaking(
    'std.update.add.kept',
    'not-done',
    'An update that gives labels to a polling channel that has none is answered as done, and it is read without.',
    overlooking(all(channel, givesLabels, unlabelled), 'lbl'),
  ),
  breaking(
    'std.update.remove',
    'bad-request',
    'An update that takes the labels of a polling channel by null, and nothing else, is refused with 4000.',
    refusingThose(all(channel, takesLabels, alone), BAD_REQUEST),
  ),
  breaking(
    'std.update.remove.gone',
    'not-done',
    'An update that takes the labels of a polling channel by null, and nothing else, is answered as done, and they stay.',
    overlooking(all(channel, takesLabels, alone), 'lbl'),
  ),
  breaking(
    'std.update.remove.gone',
    'null',
    'A polling channel whose labels have been taken by null is read with null as labels.',
    tellingAfter(all(channel, takesLabels, alone), 'done', () => ({ lbl: null })),
  ),
  breaking(
    'std.update.several',
    'bad-request',
    'An update that takes the labels of a polling channel and changes something else is refused with 4000.',
    refusingThose(all(channel, takesLabels, withOthers), BAD_REQUEST),
  ),
  breaking(
    'std.update.several.kept',
    'without-null',
    'Of an update of a polling channel with several attributes null is not looked at.',
    overlooking(all(channel, takesLabels, withOthers), 'lbl'),
  ),
  breaking(
    'std.update.others-stay',
    'age',
    'An update of a container that gives mni and not mia takes mia away.',
    describingOtherwise(all(container, gives('mni')), (attributes) => ({ mia: null, ...attributes })),
  ),
  breaking(
    'std.update.others-stay',
    'labels',
    'An update of a container that gives mni and not lbl takes the labels away.',
    describingOtherwise(all(container, gives('mni')), (attributes) => ({ lbl: null, ...attributes })),
  ),
];
