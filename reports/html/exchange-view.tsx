/** @jsxRuntime automatic @jsxImportSource preact */
import type { CheckResult, Exchange, StepResult } from '../../scenarios/index.ts';
import { differingLines } from '../differing.ts';
import { answerText, failureWords, requestText } from '../message-text.ts';
import { visibleLines, visibleText } from '../visible-text.ts';
import { cameIn, inboxText, type Trigger, whenText } from '../waiting.ts';
import { counted, durationText } from '../wording.ts';

const options = { bodyLimit: 20_000 };

interface ExchangeProps {
  exchange: Exchange;
  open: boolean;
  /** Those of the step: what failed is marked in the answer. */
  checks?: readonly CheckResult[];
  /** Lines for a shell; the one of the request alone when absent. */
  commands?: readonly string[];
}

/** Request, answer and command line of one exchange, folded unless asked for. */
export function ExchangeView({ exchange, open, checks = [], commands = [exchange.curl] }: ExchangeProps) {
  const { request, answer, failure, took } = exchange;
  const answered = answerText(exchange, options);
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
        <Message label="Answer" text={answered} marked={differingLines(checks, answered)} />
      </div>
      <CommandLine commands={commands} />
    </details>
  );
}

/** What the target sent to the harness in a step, after the request before it, and how time passed. */
export function ReceivedViews({ step, trigger }: { step: StepResult; trigger: Trigger | undefined }) {
  const { notifications, passed } = step;
  const inbox = inboxText(step);
  const unshown = (notifications?.count ?? 0) - (notifications?.shown.length ?? 0);
  return (
    <>
      {passed !== undefined && (
        <p class="muted">{passed.how === 'virtual' ? 'on the clock of the embedded target' : 'really waited for'}</p>
      )}
      {inbox !== '' && <p>{visibleText(inbox)}</p>}
      {cameIn(step).map((request, index) => (
        <div key={index} class="received">
          <Message label={`Received ${whenText(request, trigger)}`} text={requestText({ request }, options)} />
        </div>
      ))}
      {unshown > 0 && <p class="muted">And {counted(unshown, 'more notification')}.</p>}
    </>
  );
}

/** The request after which something was to come. */
export function TriggerView({ trigger }: { trigger: Trigger }) {
  return (
    <>
      <p class="muted">
        After step {trigger.stepNumber}, {visibleText(trigger.title)}:
      </p>
      <ExchangeView exchange={trigger.exchange} open />
    </>
  );
}

function Message({ label, text, marked }: { label: string; text: string; marked?: ReadonlySet<number> }) {
  const lines = visibleLines(text);
  return (
    <figure>
      <figcaption>{label}</figcaption>
      <pre>{marked === undefined || marked.size === 0 ? lines.join('\n') : lines.map(markedLine(marked))}</pre>
    </figure>
  );
}

function markedLine(marked: ReadonlySet<number>) {
  return (line: string, at: number) => [at > 0 ? '\n' : '', marked.has(at) ? <mark>{line}</mark> : line];
}

/** What to paste into a shell. */
export function CommandLine({ commands }: { commands: readonly string[] }) {
  return (
    <figure class="command">
      <figcaption>
        Command line
        <button type="button" class="copy">
          Copy
        </button>
      </figcaption>
      <pre>{commands.flatMap(visibleLines).join('\n')}</pre>
    </figure>
  );
}
