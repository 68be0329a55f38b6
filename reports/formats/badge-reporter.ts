import { checkedShare, type RunResult } from '../../scenarios/words.ts';
import { counted, verdictTone } from '../facts/wording.ts';
import { writeWhole } from '../writing/output-file.ts';

/** Writes a badge: JSON for an endpoint badge service, and beside it a picture, with `.svg` in place of `.json`. */
export function badgeReporter(path: string): { finish(result: RunResult): Promise<void> } {
  return {
    async finish(result) {
      await writeWhole(path, renderBadge(result));
      if (path !== '-') await writeWhole(`${path.replace(/\.json$/, '')}.svg`, renderBadgePicture(result));
    },
  };
}

/** The endpoint badge schema of shields.io, version 1. */
export function renderBadge(result: RunResult): string {
  const { label, message, color } = badgeOf(result);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color, isError: result.exit.code > 1 })}\n`;
}

/** Dark enough for white letters on it: contrast 4.5 and more. */
const colors = { good: '#1a7f37', bad: '#c0252f', open: '#6b5d00', none: '#57606a' };

/** Label and message; the color is that of the side with the message. */
function badgeOf(result: RunResult) {
  const { exit, summary, requirements, dialect, deaths = [] } = result;
  const label = dialect === 'onem2m' ? 'oneM2M conformance' : 'interface conformance';
  const { violated, intermittent } = summary.verdicts;
  const known = requirements.filter((one) => one.known === true).length;
  const { checked, checkable } = checkedShare(requirements);
  const scope = `${checked} of ${checkable} checked`;
  const message = (found: string) => `${found}, ${scope}`;
  if (deaths.length > 0 && exit.code !== 0) return { label, message: message('the target died'), color: colors.bad };
  if (exit.code === 1) return { label, message: message(`${violated + intermittent} deviating`), color: colors.bad };
  if (exit.code !== 0) return { label, message: 'no verdict', color: colors.none };
  if (known > 0) return { label, message: message(counted(known, 'known deviation')), color: colors.open };
  const whole = verdictTone(result) === 'good';
  return { label, message: message(whole ? 'conformant' : 'no deviation'), color: whole ? colors.good : colors.open };
}

/** Pixels of a letter of 11 pixel Verdana, on average, and around a text. */
const [letter, padding] = [6.9, 12];

export function renderBadgePicture(result: RunResult): string {
  const { label, message, color } = badgeOf(result);
  const left = Math.round(label.length * letter + padding);
  const right = Math.round(message.length * letter + padding);
  const width = left + right;
  const words = (x: number, content: string, space: number) =>
    `<text x="${x}" y="14" textLength="${space - padding}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${message}">
<title>${label}: ${message}</title>
<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#424a53"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
${words(left / 2, label, left)}
${words(left + right / 2, message, right)}
</g>
</svg>
`;
}
