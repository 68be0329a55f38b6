/** What stands around one CSE, so that a test can watch and steer it: journals, deviations, and its way out. */
import type { Scheduler } from '../clock.ts';
import type { Cse } from '../core/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { RequestJournal } from '../journal/journal.ts';
import { recordedSender, recordedService } from '../journal/recording.ts';
import { DeviationSwitch } from './deviation-switch.ts';
import { WayOut } from './way-out.ts';

interface InstrumentOptions {
  readonly clock: Scheduler;
  readonly most: number;
  /** Hears of what listeners of a journal throw. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export class Instruments {
  readonly requests: RequestJournal;
  readonly sent: RequestJournal;
  readonly deviations = new DeviationSwitch();
  readonly wayOut = new WayOut();
  readonly #records: boolean;

  /** `most`: requests that each journal keeps; 0: nothing is recorded. */
  constructor({ clock, most, onError }: InstrumentOptions) {
    this.#records = most > 0;
    const options = { clock, most, ...(onError && { onError }) };
    this.requests = new RequestJournal(options);
    this.sent = new RequestJournal(options);
  }

  /** The journal shows what was really answered: deviations lie within. */
  around(service: HttpService, core: () => Cse): HttpService {
    const deviating = this.deviations.around(service, core);
    return this.#records ? recordedService(deviating, this.requests) : deviating;
  }

  /** The journal shows what was really sent: deviations lie before it. */
  aroundSender(sender: Sender, core: () => Cse): Sender {
    const out = this.wayOut.around(sender);
    return this.deviations.aroundSender(this.#records ? recordedSender(out, this.sent) : out, core);
  }
}
