/** @jsxRuntime automatic @jsxImportSource preact */
import type { Exchange, ReceivedRequest } from '../../scenarios/index.ts';
import { answerText, failureWords, requestText } from '../message-text.ts';
import { visibleLines, visibleText } from '../visible-text.ts';
import { durationText } from '../wording.ts';

const options = { bodyLimit: 20_000 };

/** Request, answer and command line of one exchange, folded unless asked for. */
export function ExchangeView({ exchange, open }: { exchange: Exchange; open: boolean }) {
  const { request, answer, failure, took } = exchange;
  const outcome = failure === undefined ? (answer?.status ?? 'no answer') : failureWords[failure.kind];
  return (
    <details class="exchange" open={open}>
      <summary>
        <span class="method">{visibleText(request.method)}</span> <code>{visibleText(request.path)}</code>
        <span class="outcome">
          {outcome} <span class="muted">in {durationText(took)}</span>
        </span>
      </summary>
      <div class="messages">
        <Message label="Request" text={requestText(exchange, options)} />
        <Message label="Answer" text={answerText(exchange, options)} />
      </div>
      <CommandLine curl={exchange.curl} />
    </details>
  );
}

/** A request that the target sent to the harness. */
export function ReceivedView({ received }: { received: ReceivedRequest }) {
  return (
    <div class="messages">
      <Message label="Received" text={requestText({ request: received }, options)} />
    </div>
  );
}

function Message({ label, text }: { label: string; text: string }) {
  return (
    <figure>
      <figcaption>{label}</figcaption>
      <pre>{visibleLines(text).join('\n')}</pre>
    </figure>
  );
}

function CommandLine({ curl }: { curl: string }) {
  return (
    <figure class="command">
      <figcaption>
        Command line
        <button type="button" class="copy">
          Copy
        </button>
      </figcaption>
      <pre>{visibleLines(curl).join('\n')}</pre>
    </figure>
  );
}
