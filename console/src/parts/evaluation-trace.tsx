import { ruleOutcomeLabels, ruleSentence, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import type { Verdict } from '../control/answers.ts';

interface VerdictPathProps {
  readonly verdict: Verdict;
  /** Headline from the server, which includes the snoozes left. */
  readonly headline?: string | undefined;
  /** Sentences of the rules from the server, which knows the words of the ruleset. */
  readonly sentences?: Sentences | undefined;
}

type Sentences = Readonly<Record<string, string | undefined>>;

/** Renders a verdict with its headline, the rules in evaluation order, and their evaluated facts. */
export function VerdictPath({ verdict, headline = verdictHeadline(verdict), sentences }: VerdictPathProps) {
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
      <EvaluationTrace trace={verdict.rules} sentences={sentences} />
    </>
  );
}

/** Renders the rules of a verdict in evaluation order, each with its sentence and evaluated facts. */
export function EvaluationTrace({
  trace,
  sentences = {},
}: {
  readonly trace: Verdict['rules'];
  readonly sentences?: Sentences | undefined;
}) {
  const decisive = trace.find(({ outcome }) => outcome === 'stopped')?.id;
  return (
    <ol className="path">
      {trace.map((rule) => (
        <li key={rule.id} className={rule.outcome} data-decisive={rule.id === decisive}>
          <details open={rule.id === decisive}>
            <summary>
              <span className="rule">{rule.id}</span>
              <span className="summary">{sentences[rule.id] ?? ruleSentence(rule)}</span>
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
