import type { Wrap } from '../deviation.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { handling } from './blocks.ts';
import { arrivalOf, type Exchange, exchangeOf } from './standard-exchanges.ts';
import { Told } from './told.ts';

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
