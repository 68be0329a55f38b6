/** Delays and broken connections of a CSE, by the rules of `cselab up --break`. */
import { counted } from './labels.ts';
import { Field, Switch } from './parts.tsx';
import { act, type Overview } from './requests.ts';
import { attempt, readOverview, state } from './state.ts';

/** Labels of usual rules. */
const usualRules = new Map([
  ['latency by=200ms', 'Answers 200 ms late'],
  ['latency by=2s', 'Answers 2 s late'],
  ['drop share=10%', 'One answer in ten is lost'],
  ['throttle rate=1000', 'A kilobyte a second'],
  ['dead', 'Unreachable'],
]);

type Rules = Overview['rules'];

export function Disturbances({ of: { rules } }: { of: Overview }) {
  const texts = rules.map(({ rule }) => ruleText(rule));
  const set: Setting = (requested) => attempt(() => setRules(rules, texts, requested));
  const turn = (rule: string) => set(texts.includes(rule) ? texts.filter((one) => one !== rule) : [...texts, rule]);
  return (
    <>
      <h3>Disturbances</h3>
      <div class="switches">
        {[...usualRules].map(([rule, says]) => (
          <Switch key={rule} name={says} isOn={texts.includes(rule)} onToggle={() => turn(rule)} />
        ))}
      </div>
      <RuleForm texts={texts} set={set} />
      <InForce rules={rules} texts={texts} set={set} />
    </>
  );
}

type Setting = (requested: readonly string[]) => unknown;

function RuleForm({ texts, set }: { texts: readonly string[]; set: Setting }) {
  const add = (event: Event): void => {
    event.preventDefault();
    if (state.rule.trim() === '') return;
    set([...texts, state.rule.trim()]);
    state.rule = '';
  };
  return (
    <form class="one-line" onSubmit={add}>
      <Field
        {...{ id: 'rule', name: 'Custom rule', value: state.rule, placeholder: 'drop POST share=10%' }}
        onText={(text) => {
          state.rule = text;
        }}
      />
      <button type="submit">Add rule</button>
    </form>
  );
}

function InForce({ rules, texts, set }: { rules: Rules; texts: readonly string[]; set: Setting }) {
  if (rules.length === 0) return null;
  return (
    <ul class="held">
      {rules.map(({ requests, disturbed }, at) => (
        <li key={at}>
          <code>{texts[at]}</code>
          <span class="muted">
            {disturbed} of {counted(requests, 'request')}
          </span>
          <button
            type="button"
            aria-label={`Remove ${texts[at]}`}
            onClick={() => set(texts.filter((_, index) => index !== at))}
          >
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Rules in force stay as they are; new ones are texts. */
async function setRules(rules: Rules, texts: readonly string[], requested: readonly string[]): Promise<void> {
  const given = requested.map((text) => rules[texts.indexOf(text)]?.rule ?? text);
  await act('disturbances', { cse: state.cse, rules: given });
  await readOverview();
}

/** As the command line writes it. */
function ruleText({ match = {}, do: { effect, ...how }, for: lasting }: Rules[number]['rule']): string {
  const { method, path, share, ...others } = match;
  const pairs = Object.entries({ ...how, ...others }).map(([name, value]) => `${name}=${value}`);
  const words = [effect, method, path, share !== undefined && `share=${Math.round(share * 1000) / 10}%`, ...pairs];
  return [...words, lasting !== undefined && `for=${lasting}`].filter(Boolean).join(' ');
}
