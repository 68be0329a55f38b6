/** What faults of the standard make of the attributes that answers show. */
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { handling } from './blocks.ts';
import { withBody } from './changed-answers.ts';
import { describedIn } from './representations.ts';
import { afterwards, arrivalOf, type Exchange, exchangeOf, type When } from './standard-exchanges.ts';
import { Told } from './told.ts';

/** Other attributes in the answers that show one resource. */
export function showing(
  when: When<Exchange>,
  change: (attributes: Attributes, exchange: Exchange) => Attributes,
): Wrap {
  return afterwards((exchange) => {
    const { answer, shown } = exchange;
    if (!isSuccess(answer) || shown === undefined || !when(exchange)) return undefined;
    return withBody(answer, { [shown.root]: change(shown.attributes, exchange) });
  });
}

/** What answers say of a resource from some exchange on, in place of what the CSE itself says; undefined says nothing new. */
export function tellingFromThenOn(tell: (exchange: Exchange) => Attributes | undefined): Wrap {
  return (service, core) => {
    const told = new Told();
    return handling(async (request) => {
      const arrival = arrivalOf(request, core, (one) => service.handle(one));
      const answer = await service.handle(request);
      const exchange = exchangeOf(arrival, answer);
      const attributes = isSuccess(answer) ? tell(exchange) : undefined;
      const id = exchange.shown?.attributes.ri;
      if (attributes !== undefined && id !== undefined) told.say(id, attributes);
      return told.in(answer);
    })(service, core);
  };
}

/** The attributes of the one resource that an answer shows; none where it shows another thing. */
export function attributesIn(answer: HttpResponse): Attributes {
  return describedIn(answer.body)?.attributes ?? {};
}
