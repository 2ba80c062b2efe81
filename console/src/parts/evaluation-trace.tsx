import { ruleOutcomeLabels, ruleSentence, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import type { Verdict } from '../control/answers.ts';

interface VerdictPathProps {
  readonly verdict: Verdict;
  /** The headline that the server made, which knows the snoozes that are left. */
  readonly headline?: string | undefined;
}

/** A verdict: its headline, and every rule in the order of evaluation with a sentence and the evaluated facts. */
export function VerdictPath({ verdict, headline = verdictHeadline(verdict) }: VerdictPathProps) {
  const decisive = verdict.rules.find(({ outcome }) => outcome === 'stopped')?.id;
  return (
    <>
      <p className={`verdict ${verdict.outcome}`} role="status">
        <strong>{headline}</strong>
        {verdict.reason !== null && (
          <>
            {' '}
            {decisive !== undefined && <>Rule {decisive}, </>}
            reason code <code>{verdict.reason}</code>
          </>
        )}
      </p>
      {verdict.warnings.length > 0 && (
        <ul className="warnings">
          {verdict.warnings.map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      <EvaluationTrace trace={verdict.rules} />
    </>
  );
}

/** The rules of a verdict in the order of evaluation, each with its sentence and the evaluated facts. */
export function EvaluationTrace({ trace }: { readonly trace: Verdict['rules'] }) {
  const decisive = trace.find(({ outcome }) => outcome === 'stopped')?.id;
  return (
    <ol className="path">
      {trace.map((rule) => (
        <li key={rule.id} className={rule.outcome} data-decisive={rule.id === decisive}>
          <details open={rule.id === decisive}>
            <summary>
              <span className="rule">{rule.id}</span>
              <span className="summary">{ruleSentence(rule)}</span>
              <span className="outcome">{ruleOutcomeLabels[rule.outcome]}</span>
            </summary>
            <dl aria-label="Evaluated facts">
              {Object.entries(rule.saw).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <code>{JSON.stringify(value)}</code>
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </li>
      ))}
    </ol>
  );
}
