import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Entry } from '../control/answers.ts';
import { useHappenings } from '../control/live.tsx';
import { question, useAnswer } from '../control/questions.ts';
import { Answered } from '../parts/answered.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { EntryList } from '../parts/entry-list.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { counted } from '../parts/words.ts';
import { ViewTitle } from '../shell/view-title.tsx';

/** Entries that a page of the journal shows. */
const pageEntries = 100;

interface Counts {
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
}

interface Page {
  readonly entries: readonly Entry[];
  readonly next: number | null;
}

/** The journal: every input of the sandbox, the newest first and live; of one type in order. */
export function JournalView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const type = address.get('type') ?? '';
  const counts = useAnswer<Counts>(sandbox, '/journal/counts');
  const { connected } = useHappenings();
  return (
    <>
      <ViewTitle title="Journal">
        <span className={connected ? 'live on' : 'live'}>{connected ? 'Live' : 'Not connected'}</span>
      </ViewTitle>
      <Answered to={counts}>
        {({ total, counts: byType }) => (
          <>
            <div className="filters">
              <SelectField
                label="Input"
                value={type}
                options={[
                  ['', `All inputs (${total})`],
                  ...Object.entries(byType).map(([one, count]) => [one, `${one} (${count})`] as const),
                ]}
                onChange={(value) => setAddress(value === '' ? {} : { type: value }, { replace: true })}
              />
              <p className="hint">{counted(total, 'entry', 'entries')}; nothing is ever removed.</p>
            </div>
            {type === '' ? (
              <AllEntries sandbox={sandbox} total={total} />
            ) : (
              <EntriesOfType key={type} sandbox={sandbox} type={type} />
            )}
          </>
        )}
      </Answered>
    </>
  );
}

/** All entries: at the end of the journal those that come are shown at once. Takes how many there are. */
function AllEntries({ sandbox, total }: { readonly sandbox: string; readonly total: number }) {
  const [end, setEnd] = useState<number | null>(null);
  const last = end ?? total;
  const after = Math.max(0, last - pageEntries);
  const page = useQuery({
    ...question<Page>(sandbox, `/journal?limit=${pageEntries}&after=${after}`),
    placeholderData: keepPreviousData,
  });
  return (
    <Answered to={page}>
      {({ entries }) => (
        <Card title="Entries" aside={<span className="hint">the newest first</span>}>
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
    </Answered>
  );
}

function EntriesOfType({ sandbox, type }: { readonly sandbox: string; readonly type: string }) {
  const [after, setAfter] = useState<readonly number[]>([0]);
  const filter = `type=${encodeURIComponent(type)}`;
  const page = useAnswer<Page>(sandbox, `/journal?limit=${pageEntries}&after=${after.at(-1) ?? 0}&${filter}`);
  return (
    <Answered to={page}>
      {({ entries, next }) => (
        <Card title="Entries" aside={<span className="hint">the oldest first</span>}>
          {entries.length === 0 ? (
            <Empty>No entry is of this kind.</Empty>
          ) : (
            <EntryList entries={entries} sandbox={sandbox} />
          )}
          <div className="buttons" role="group" aria-label="Pages">
            <button type="button" disabled={after.length === 1} onClick={() => setAfter(after.slice(0, -1))}>
              Older
            </button>
            <button type="button" disabled={next === null} onClick={() => next !== null && setAfter([...after, next])}>
              Newer
            </button>
          </div>
        </Card>
      )}
    </Answered>
  );
}
