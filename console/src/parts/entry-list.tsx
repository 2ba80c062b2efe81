import { Link } from 'wouter';
import type { Entry } from '../control/answers.ts';
import { CodeBlock } from './code-block.tsx';
import { formatInstant } from './labels.ts';
import { ScrollBox } from './scroll-box.tsx';
import { TableHead } from './table-head.tsx';

/** Renders journal entries, one per row. */
export function EntryList({ entries, sandbox }: { readonly entries: readonly Entry[]; readonly sandbox: string }) {
  return (
    <ScrollBox label="Journal entries">
      <table>
        <TableHead columns={['Place', 'Virtual time', 'Event', 'About', 'Details']} numbers={['Place']} />
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.seq} entry={entry} sandbox={sandbox} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function EntryRow({ entry: { seq, at, event: input }, sandbox }: { readonly entry: Entry; readonly sandbox: string }) {
  const { type, userId, signInId, ...rest } = input;
  const details = JSON.stringify(rest);
  return (
    <tr>
      <td className="number">{seq}</td>
      <td className="nowrap">{formatInstant(at)}</td>
      <td className="nowrap">
        <code>{type}</code>
      </td>
      <td className="nowrap">
        {typeof signInId === 'string' && <Link href={`/s/${sandbox}/journeys/${signInId}`}>{signInId}</Link>}{' '}
        {typeof userId === 'string' && <Link href={`/s/${sandbox}/users/${userId}`}>{userId}</Link>}
      </td>
      <td>
        {details !== '{}' && (
          <details>
            <summary>
              {details.length > collapsedCharactersMax ? `${details.slice(0, collapsedCharactersMax)} …` : details}
            </summary>
            <CodeBlock text={JSON.stringify(rest, null, 2)} />
          </details>
        )}
      </td>
    </tr>
  );
}

/** Maximum number of characters of an entry before it is expanded. */
const collapsedCharactersMax = 80;
