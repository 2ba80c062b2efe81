import type { Rules, Verdict } from '../control/answers.ts';
import { codeWords, outcomeWords, ruleWords } from './words.ts';

/** A verdict as the way through the rules: each with what it looked at, in the order in which they were asked. */
export function VerdictPath({ verdict, rules }: { readonly verdict: Verdict; readonly rules: Rules | undefined }) {
  const decisive = verdict.rules.find(({ outcome }) => outcome === 'stopped')?.id;
  return (
    <>
      <p className={`verdict ${verdict.outcome}`} role="status">
        <strong>{outcomeWords[verdict.outcome]}</strong>
        {verdict.reason !== null && (
          <>
            {' '}
            because of <code>{verdict.reason}</code>
            {decisive !== undefined && <>, rule {decisive}</>}
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
      <TracePath trace={verdict.rules} rules={rules} />
    </>
  );
}

/** The rules of a verdict in the order in which they were asked, each with what it looked at. */
export function TracePath({ trace, rules }: { readonly trace: Verdict['rules']; readonly rules: Rules | undefined }) {
  const summaryOf = (id: string): string => rules?.rules.find(({ gate }) => gate === id)?.summary ?? '';
  const decisive = trace.find(({ outcome }) => outcome === 'stopped')?.id;
  return (
    <ol className="path">
      {trace.map((rule) => (
        <li key={rule.id} className={rule.outcome} data-decisive={rule.id === decisive}>
          <details open={rule.id === decisive}>
            <summary>
              <span className="rule">{rule.id}</span>
              <span className="summary">{summaryOf(rule.id)}</span>
              <span className="outcome">
                {rule.outcome === 'stopped' ? codeWords(rule.reason) : ruleWords(rule.outcome)}
              </span>
            </summary>
            <dl>
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
