import { useState } from 'react';
import type { Coverage, SuiteFile } from '../control/suite.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { TableHead } from '../parts/table-head.tsx';

type Rule = Coverage['rules'][number];

const assumptionLabels: Readonly<Record<Coverage['assumptions'][number]['state'], string>> = {
  confirmed: 'Confirmed',
  claimedOnly: 'Claimed only',
  uncovered: 'Uncovered',
};

/** Renders the rules and assumptions that a run covered, with one row per rule and one column per outcome. */
export function CoverageMatrix({
  coverage,
  files,
}: {
  readonly coverage: Coverage;
  readonly files: readonly SuiteFile[];
}) {
  const [gapsAlone, setGapsAlone] = useState(false);
  const { rules, assumptions, outcomesCovered, outcomesTotal } = coverage;
  const namedBy = (id: string): number => files.filter(({ covers }) => covers.includes(id)).length;
  const shownRules = rules.filter((rule) => !gapsAlone || !isShown(rule));
  const shownAssumptions = assumptions.filter(({ state }) => !gapsAlone || state === 'uncovered');
  return (
    <>
      <p>
        {rules.filter(isShown).length} of {rules.length} rules are covered, with {outcomesCovered} of {outcomesTotal}{' '}
        gate outcomes; {assumptions.filter(({ state }) => state !== 'uncovered').length} of {assumptions.length}{' '}
        assumptions are covered.
      </p>
      <label className="switch">
        <input type="checkbox" checked={gapsAlone} onChange={({ target }) => setGapsAlone(target.checked)} />
        Only gaps
      </label>
      <h3>Rules</h3>
      <ScrollBox label="Table of rule coverage" tall>
        <table>
          <TableHead
            columns={['Rule', 'Summary', 'Kind', 'Met', 'Stopped', 'Not applicable', 'Observed', 'Files']}
            numbers={['Met', 'Stopped', 'Not applicable', 'Observed', 'Files']}
          />
          <tbody>
            {shownRules.map((rule) => (
              <tr key={rule.id}>
                <th scope="row" className={isShown(rule) ? 'nowrap passed' : 'nowrap failed'}>
                  {isShown(rule) ? '✓' : '✗'} {rule.id}
                </th>
                <td>{rule.summary}</td>
                <td>{rule.kind}</td>
                <Times of={rule.met} isPossible={isGate(rule)} />
                <Times of={rule.stopped} isPossible={isGate(rule)} />
                <Times of={rule.notApplicable} isPossible={isGate(rule)} isGap={false} />
                <Times of={rule.observed} isPossible={!isGate(rule) || rule.observed > 0} />
                <td className="number">{namedBy(rule.id)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <h3>Assumptions</h3>
      <ScrollBox label="Assumption coverage" tall>
        <table>
          <TableHead columns={['Assumption', 'Question', 'State', 'Files']} numbers={['Files']} />
          <tbody>
            {shownAssumptions.map(({ id, question, state }) => (
              <tr key={id}>
                <th scope="row" className={state === 'uncovered' ? 'nowrap failed' : 'nowrap passed'}>
                  {state === 'uncovered' ? '✗' : '✓'} {id}
                </th>
                <td>{question}</td>
                <td>{assumptionLabels[state]}</td>
                <td className="number">{namedBy(id)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

function isGate({ kind }: Rule): boolean {
  return kind === 'gate' || kind === 'permission';
}

/** Returns true if a rule is covered. A gate that was never anything but not applicable is not covered. */
function isShown({ met, stopped, observed: seen }: Rule): boolean {
  return met + stopped + seen > 0;
}

function Times({
  of,
  isPossible,
  isGap = of === 0,
}: {
  readonly of: number;
  readonly isPossible: boolean;
  readonly isGap?: boolean;
}) {
  if (!isPossible) return <td className="number hint">–</td>;
  return <td className={isGap ? 'number failed' : 'number'}>{of.toLocaleString('en')}</td>;
}
