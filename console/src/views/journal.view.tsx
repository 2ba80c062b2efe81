import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { newestOfType, pageEntries } from '../control/journal.ts';
import { useEventFeed } from '../control/live.tsx';
import { question, sandboxKey, useControlQuery } from '../control/questions.ts';
import { Card, Empty } from '../parts/card.tsx';
import { EntryList } from '../parts/entry-list.tsx';
import { formatCount } from '../parts/labels.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Renders the journal with live updates, newest entry first, optionally filtered by event type. */
export function JournalView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const type = address.get('type') ?? '';
  const upTo = address.get('upTo');
  const counts = useControlQuery('countJournal', { sandbox });
  const { connected } = useEventFeed();
  return (
    <>
      <ViewTitle title="Journal">
        <span className={connected ? 'live on' : 'live'}>{connected ? 'Live' : 'Not connected'}</span>
      </ViewTitle>
      <QueryResult to={counts}>
        {({ total, counts: byType }) => (
          <>
            <div className="filters">
              <SelectField
                label="Event"
                value={type}
                options={[
                  ['', `All events (${total})`],
                  ...Object.entries(byType).map(([one, count]) => [one, `${one} (${count})`] as const),
                ]}
                onChange={(value) => setAddress(value === '' ? {} : { type: value }, { replace: true })}
              />
              <p className="hint">{formatCount(total, 'entry', 'entries')}; entries are never removed.</p>
            </div>
            {type === '' ? (
              <AllEntries key={upTo} sandbox={sandbox} total={total} upTo={toSeq(upTo, total)} />
            ) : (
              <EntriesOfType key={type} sandbox={sandbox} type={type} total={total} count={byType[type] ?? 0} />
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

/** Returns the sequence number in an address, or `null` if it is none of an earlier entry. */
function toSeq(text: string | null, total: number): number | null {
  const seq = Number(text ?? '');
  return Number.isInteger(seq) && seq >= 1 && seq < total ? seq : null;
}

/**
 * Renders all entries of a journal with `total` entries. On the newest page, new entries appear immediately.
 *
 * @param upTo - sequence number of the first entry to show, or `null` for the newest
 */
function AllEntries({
  sandbox,
  total,
  upTo,
}: {
  readonly sandbox: string;
  readonly total: number;
  readonly upTo: number | null;
}) {
  const [end, setEnd] = useState(upTo);
  const last = end ?? total;
  const after = Math.max(0, last - pageEntries);
  const page = useQuery({
    ...question('listJournal', { sandbox, query: { limit: pageEntries, after } }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryResult to={page}>
      {({ entries }) => (
        <Card title="Entries" aside={<span className="hint">newest first</span>}>
          <EntryList entries={entries.filter(({ seq }) => seq <= last).toReversed()} sandbox={sandbox} />
          <div className="buttons" role="group" aria-label="Pages">
            <button type="button" disabled={end === null} onClick={() => setEnd(null)}>
              Newest
            </button>
            <button
              type="button"
              disabled={end === null}
              onClick={() => setEnd(last + pageEntries >= total ? null : last + pageEntries)}
            >
              Newer
            </button>
            <button type="button" disabled={after === 0} onClick={() => setEnd(after)}>
              Older
            </button>
            <button
              type="button"
              disabled={after === 0}
              onClick={() => setEnd(total % pageEntries === 0 ? pageEntries : total % pageEntries)}
            >
              Oldest
            </button>
          </div>
        </Card>
      )}
    </QueryResult>
  );
}

/** Renders the entries of one type, given the number of all entries and of entries of that type. */
function EntriesOfType({
  sandbox,
  type,
  total,
  count,
}: {
  readonly sandbox: string;
  readonly type: string;
  readonly total: number;
  readonly count: number;
}) {
  // Last sequence number of each older page that was opened. The current page ends at the last of them.
  const [ends, setEnds] = useState<readonly number[]>([]);
  const end = ends.at(-1) ?? total;
  const page = useQuery({
    queryKey: [...sandboxKey(sandbox), 'journal of a type', type, end],
    queryFn: () => newestOfType(sandbox, type, end),
    placeholderData: keepPreviousData,
  });
  const first = ends.length * pageEntries;
  return (
    <QueryResult to={page}>
      {(entries) => (
        <Card title="Entries" aside={<span className="hint">newest first</span>}>
          {entries.length === 0 ? (
            <Empty>No entries of this type.</Empty>
          ) : (
            <EntryList entries={entries} sandbox={sandbox} />
          )}
          <div className="buttons" role="group" aria-label="Pages">
            <button type="button" disabled={ends.length === 0} onClick={() => setEnds([])}>
              Newest
            </button>
            <button type="button" disabled={ends.length === 0} onClick={() => setEnds(ends.slice(0, -1))}>
              Newer
            </button>
            <button
              type="button"
              disabled={entries.length < pageEntries || first + entries.length >= count}
              onClick={() => setEnds([...ends, (entries.at(-1)?.seq ?? 1) - 1])}
            >
              Older
            </button>
          </div>
        </Card>
      )}
    </QueryResult>
  );
}
