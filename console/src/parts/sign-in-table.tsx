import { Link } from 'wouter';
import type { SignIn } from '../control/answers.ts';
import { formatInstant, outcomeLabels } from './labels.ts';
import { formatScreen } from './screen-label.ts';
import { ScrollBox } from './scroll-box.tsx';
import { TableHead } from './table-head.tsx';

/** Renders a table of sign-ins, newest first. */
export function SignInTable({ rows, sandbox }: { readonly rows: readonly SignIn[]; readonly sandbox: string }) {
  return (
    <ScrollBox label="Table of sign-ins">
      <table>
        <TableHead columns={['Sign-in', 'Virtual time', 'User', 'Device', 'Verdict', 'Current screen']} />
        <tbody>
          {rows.map(({ id, startedAt, userId, os, deviceId, outcome, screen }) => (
            <tr key={id}>
              <td>
                <Link href={`/s/${sandbox}/journeys/${id}`}>{id}</Link>
              </td>
              <td className="nowrap">{formatInstant(startedAt)}</td>
              <td>
                <Link href={`/s/${sandbox}/users/${encodeURIComponent(userId)}`}>{userId}</Link>
              </td>
              <td>
                {os}, {deviceId}
              </td>
              <td>{outcome === null ? 'Not evaluated yet' : outcomeLabels[outcome]}</td>
              <td>{formatScreen(screen)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
