import type { Entry } from '../control/answers.ts';
import type { CampaignSettings } from '../control/policy.ts';
import { useControlQuery } from '../control/questions.ts';
import { Empty } from './card.tsx';
import { formatInstant } from './labels.ts';
import { QueryResult } from './query-result.tsx';

/** Campaign as stored in the facts. A setting that was never set is `null`. */
type StoredCampaign = Readonly<Record<string, unknown>>;

interface Change {
  readonly entry: Entry;
  readonly before: StoredCampaign;
  readonly after: StoredCampaign;
}

/** Renders the changes of the campaign with their differences and a way to restore earlier settings. */
export function CampaignHistory({
  sandbox,
  onRestore,
}: {
  readonly sandbox: string;
  readonly onRestore: (earlier: Partial<CampaignSettings>) => void;
}) {
  const created = useControlQuery('listJournal', { sandbox, query: { type: 'sandbox.created', limit: 1 } });
  const changed = useControlQuery('listJournal', { sandbox, query: { type: 'tenant.changed', limit: 1_000 } });
  return (
    <QueryResult to={created}>
      {({ entries: [first] }) => (
        <QueryResult to={changed}>
          {({ entries }) => <Changes changes={listChanges(first, entries)} onRestore={onRestore} />}
        </QueryResult>
      )}
    </QueryResult>
  );
}

function Changes({
  changes,
  onRestore,
}: {
  readonly changes: readonly Change[];
  readonly onRestore: (earlier: Partial<CampaignSettings>) => void;
}) {
  if (changes.length === 0) return <Empty>The campaign has not changed since the sandbox was created.</Empty>;
  return (
    <ol className="history">
      {changes.map(({ entry, before, after }) => (
        <li key={entry.seq}>
          <p>
            <strong>{formatInstant(entry.at)}</strong> <span className="hint">by {String(entry.event['by'])}</span>
          </p>
          <dl className="facts">
            {differences(before, after).map((key) => (
              <div key={key} className="difference">
                <dt>{key}</dt>
                <dd>
                  <del>{JSON.stringify(before[key] ?? null)}</del> <ins>{JSON.stringify(after[key] ?? null)}</ins>
                </dd>
              </div>
            ))}
          </dl>
          {differences(before, after).some((key) => !key.startsWith(rolloutPrefix)) && (
            <button type="button" onClick={() => onRestore(getSettings(before))}>
              Revert
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Returns the changes of the campaign, newest first. */
function listChanges(created: Entry | undefined, entries: readonly Entry[]): readonly Change[] {
  let before = storedIn(created?.event['tenant'], {});
  const changes: Change[] = [];
  for (const entry of entries) {
    const after = storedIn(entry.event['facts'], before);
    if (differences(before, after).length > 0) changes.push({ entry, before, after });
    before = after;
  }
  return changes.reverse();
}

const rolloutPrefix = 'rollout: ';

/** Returns the campaign and its rollout switches after a change, from the changed facts and the previous values. */
function storedIn(facts: unknown, before: StoredCampaign): StoredCampaign {
  const { campaign, rollout } = (facts ?? {}) as { readonly campaign?: StoredCampaign; readonly rollout?: object };
  const switches = Object.entries(rollout ?? {}).map(([name, value]) => [`${rolloutPrefix}${name}`, value]);
  return { ...before, ...campaign, ...Object.fromEntries(switches) };
}

function differences(before: StoredCampaign, after: StoredCampaign): readonly string[] {
  return Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/**
 * Returns the settings stored in a change. A setting that was not set keeps its current value, because no field can
 * show it.
 */
function getSettings(campaign: StoredCampaign): Partial<CampaignSettings> {
  return Object.fromEntries(
    Object.entries(campaign).filter(([key, value]) => value !== null && !key.startsWith(rolloutPrefix)),
  );
}
