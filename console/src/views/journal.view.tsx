import { useState } from 'react';
import type { Entry } from '../control/answers.ts';
import { useHappenings } from '../control/live.tsx';
import { useAnswer } from '../control/questions.ts';
import { Answered } from '../parts/answered.tsx';
import { Empty } from '../parts/card.tsx';
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

/** The journal: every input of the sandbox in order, by type, live at its end. */
export function JournalView({ sandbox }: { readonly sandbox: string }) {
  const [type, setType] = useState('');
  const [after, setAfter] = useState<readonly number[]>([0]);
  const counts = useAnswer<Counts>(sandbox, '/journal/counts');
  const filter = type === '' ? '' : `&type=${encodeURIComponent(type)}`;
  const page = useAnswer<Page>(sandbox, `/journal?limit=${pageEntries}&after=${after.at(-1) ?? 0}${filter}`);
  const { connected } = useHappenings();
  return (
    <>
      <ViewTitle title="Journal">
        <span className={connected ? 'live on' : 'live'}>{connected ? 'Live' : 'Not connected'}</span>
      </ViewTitle>
      <Answered to={counts}>
        {({ total, counts: byType }) => (
          <div className="filters">
            <SelectField
              label="Input"
              value={type}
              options={[
                ['', `All inputs (${total})`],
                ...Object.entries(byType).map(([one, count]) => [one, `${one} (${count})`] as const),
              ]}
              onChange={(value) => {
                setType(value);
                setAfter([0]);
              }}
            />
            <p className="hint">{counted(total, 'entry', 'entries')}; nothing is ever removed.</p>
          </div>
        )}
      </Answered>
      <Answered to={page}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? (
              <Empty>No entry is of this kind.</Empty>
            ) : (
              <EntryList entries={entries} sandbox={sandbox} />
            )}
            <div className="buttons" role="group" aria-label="Pages">
              <button type="button" disabled={after.length === 1} onClick={() => setAfter(after.slice(0, -1))}>
                Earlier
              </button>
              <button
                type="button"
                disabled={next === null}
                onClick={() => next !== null && setAfter([...after, next])}
              >
                Later
              </button>
            </div>
          </>
        )}
      </Answered>
    </>
  );
}
