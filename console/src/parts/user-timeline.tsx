import { Link } from 'wouter';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import type { VerdictSummary } from '../../../src/contract/comparison.schema.ts';
import { Empty } from './card.tsx';
import { formatCode, formatInstant, formatRuleOutcome, outcomeLabels } from './labels.ts';
import { ScrollBox } from './scroll-box.tsx';

const answerLabels: Readonly<Record<ComparedAttempt['answer'], string>> = {
  none: '–',
  recorded: 'recorded',
  inapplicable: 'no longer applicable: not prompted',
  assumed: 'assumed',
};

/** Renders the sign-ins of one user under the baseline and the variant, with the rules whose outcomes differ. */
export function UserTimeline({
  sandbox,
  user,
  attempts,
}: {
  readonly sandbox: string;
  readonly user: string;
  readonly attempts: readonly object[];
}) {
  const compared = attempts as readonly ComparedAttempt[];
  if (compared.length === 0) return <Empty>{user} has not signed in.</Empty>;
  return (
    <>
      <ScrollBox label={`Sign-ins of ${user}`}>
        <table>
          <thead>
            <tr>
              {['When', 'Platform', 'Before', 'Now', 'Answer', 'Rules with different results'].map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compared.map((attempt) => (
              <tr key={attempt.attempt}>
                <th scope="row" className="nowrap">
                  <Link href={`/s/${sandbox}/journeys/${encodeURIComponent(attempt.attempt)}`}>
                    {formatInstant(attempt.at)}
                  </Link>
                </th>
                <td>{attempt.platform}</td>
                <td>{sideLabels(attempt.before)}</td>
                <td>
                  {attempt.changed ? <strong>{sideLabels(attempt.after)}</strong> : sideLabels(attempt.after)}
                  {!attempt.certain && <small> (based on an assumed action)</small>}
                </td>
                <td>{answerLabels[attempt.answer]}</td>
                <td>
                  <Rules of={attempt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <p>
        <Link href={`/s/${sandbox}/users/${encodeURIComponent(user)}`}>Details of {user}</Link>
      </p>
    </>
  );
}

function Rules({ of }: { readonly of: ComparedAttempt }) {
  const other = (of.rules ?? []).filter(({ before, after }) => before !== after);
  if (other.length === 0) return '–';
  return (
    <ul className="plain">
      {other.map(({ id, before, after }) => (
        <li key={id}>
          <code>{id}</code> {formatRuleOutcome(before)} → {formatRuleOutcome(after)}
        </li>
      ))}
    </ul>
  );
}

function sideLabels({ outcome, reason }: VerdictSummary): string {
  return reason === null ? outcomeLabels[outcome] : formatCode(reason);
}
