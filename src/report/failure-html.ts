import { html } from 'ghtml';
import { ruleOutcomeLabels, ruleSentence } from '../../machines/verdict-sentences.ts';
import type { Mismatch, ScenarioResult, StepResult } from '../contract/result.schema.ts';
import { differencesBetween } from './differences.ts';
import { failureHeadline } from './failure-text.ts';
import { renderFilmstrip } from './filmstrip.ts';
import { shotEnding } from './screenshot-file.ts';
import { valueText } from './trace-text.ts';

/** Renders the first failure of a scenario and the command to repeat it. */
export function shortFailure(result: ScenarioResult): string {
  const { id, name, driver, command } = result;
  return html`<article class="failed"><h3>${name}</h3><p><code>${id}</code> on ${driver}</p>
<p>${failureHeadline(result)}</p><p>Repeat it: <code class="command">${command}</code></p></article>`;
}

/** Renders a failure in full. `shots` are screenshots at the time of the failure, as `data:` URLs. */
export function failure(result: ScenarioResult, shots: readonly string[] = []): string {
  const { id, name, driver, message, steps, unconfirmedClaims, evidence = [], command, traceId } = result;
  const claims =
    unconfirmedClaims.length === 0
      ? ''
      : html`<p>The scenario claims to cover ${unconfirmedClaims.join(', ')}, but no step shows this.</p>`;
  return html`<article class="failed"><h3>${name}</h3><p><code>${id}</code> on ${driver}</p>
!${message === undefined ? '' : html`<p>${message}</p>`}!${renderFilmstrip(steps, shots)}!${steps.filter(({ status }) => status === 'failed').map((step) => failedStep(result, step))}!${claims}
!${evidence.length === 0 ? '' : html`<p>Evidence: !${evidence.filter((file) => !file.endsWith(shotEnding)).map((file) => html`<a href="${encodeURI(file)}">${file}</a> `)}</p>`}
!${traceId === undefined ? '' : html`<p>Trace: <code>${traceId}</code></p>`}<p>Repeat it: <code class="command">${command}</code></p></article>`;
}

function failedStep({ file }: ScenarioResult, { kind, line, mismatches, reason, rules = [] }: StepResult): string {
  const verdict = reason === undefined ? '' : html`<p>Verdict: ${reason ?? 'no reason, so the user is prompted'}</p>`;
  const trace =
    rules.length === 0
      ? ''
      : html`<details><summary>Evaluation trace</summary><table class="trace"><thead><tr><th scope="col">Rule</th><th scope="col">Outcome</th><th scope="col">Explanation</th></tr></thead><tbody>!${rules.map(
          (rule) =>
            html`<tr class="${rule.outcome}"><th scope="row">${rule.id}</th><td>${ruleOutcomeLabels[rule.outcome]}${rule.outcome === 'stopped' ? `: ${rule.reason}` : ''}</td><td>${ruleSentence(rule)}</td></tr>`,
        )}</tbody></table></details>`;
  return html`<section><h4>${file}:${line} ${kind}</h4><table><thead><tr><th scope="col">Value</th><th scope="col">Expected</th><th scope="col">Actual</th></tr></thead><tbody>!${mismatches.flatMap(mismatchRows)}</tbody></table>!${verdict}!${trace}</section>`;
}

function mismatchRows(mismatch: Mismatch): readonly string[] {
  const { key, message } = mismatch;
  if (key === 'step')
    return [html`<tr><td>step</td><td colspan="2">${message ?? 'The step could not be performed.'}</td></tr>`];
  const rows = differencesBetween(mismatch.expected, mismatch.actual).map(
    ({ path, expected, actual }) =>
      html`<tr><th scope="row">${path === '' ? key : `${key}.${path}`}</th><td><code>${valueText(expected)}</code></td><td><code>${valueText(actual)}</code></td></tr>`,
  );
  return message === undefined ? rows : [...rows, html`<tr><td colspan="3">${message}</td></tr>`];
}
