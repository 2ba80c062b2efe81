import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ControlRequest } from '../../../src/client/control-client.ts';
import type { Preview } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { sandboxKey } from '../control/questions.ts';
import { formatCode, formatCount, outcomeLabels } from './labels.ts';
import { Failure } from './query-result.tsx';
import { TableHead } from './table-head.tsx';

type Standing = Preview['changes'][number]['before'];

/** Previews the users affected by a policy PATCH or by changed rollout switches, as computed by the server. */
export function ChangePreview({
  sandbox,
  change,
}: {
  readonly sandbox: string;
  readonly change: ControlRequest<'previewCampaign'>['body'];
}) {
  const preview = useQuery({
    queryKey: [...sandboxKey(sandbox), 'preview', change],
    queryFn: () => api.previewCampaign({ sandbox, body: change }),
    placeholderData: (before) => before,
  });
  return (
    <>
      <Failure of={preview.error} />
      {preview.data !== undefined && preview.error === null && (
        <PreviewTable preview={preview.data} sandbox={sandbox} />
      )}
    </>
  );
}

/** Renders the affected users of a policy change: totals, and the first users with a change. */
function PreviewTable({ preview, sandbox }: { readonly preview: Preview; readonly sandbox: string }) {
  const { before, after, changed, changes, evaluated, users } = preview;
  return (
    <>
      <table>
        <caption>
          Next sign-in of {formatCount(evaluated, 'user')}
          {evaluated < users && `, of ${users.toLocaleString('en')}`}
        </caption>
        <TableHead columns={['Verdict', 'Now', 'After saving']} numbers={['Now', 'After saving']} />
        <tbody>
          {Object.entries(outcomeLabels).map(([outcome, words]) => (
            <tr key={outcome}>
              <th scope="row">{words}</th>
              <td className="number">{(before[outcome as keyof typeof before] ?? 0).toLocaleString('en')}</td>
              <td className="number">{(after[outcome as keyof typeof after] ?? 0).toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {changed === 0 ? (
        <p className="hint">No users are affected.</p>
      ) : (
        <details>
          <summary>{formatCount(changed, 'user')} would be affected</summary>
          <ul>
            {changes.map(({ user, before: was, after: will }) => (
              <li key={user}>
                <Link href={`/s/${sandbox}/users/${encodeURIComponent(user)}`}>{user}</Link>: {standing(was)} →{' '}
                {standing(will)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function standing({ outcome, reason }: Standing): string {
  return reason === null ? outcomeLabels[outcome] : `${outcomeLabels[outcome]} (${formatCode(reason).toLowerCase()})`;
}
