import { useState } from 'react';
import type { Tenant } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlAction } from '../control/questions.ts';
import { Card } from './card.tsx';
import { ChangePreview } from './preview-table.tsx';
import { Failure } from './query-result.tsx';

type Rollout = Tenant['rollout'];

const switches: readonly (readonly [keyof Rollout, string, string])[] = [
  ['method', 'Method', 'passkey instead of the authenticator app'],
  ['snoozeDays', 'Snooze days', 'one day instead of three'],
  ['snoozeLimit', 'Snooze limit', 'unlimited instead of three snoozes'],
  ['targeting', 'Targeting', 'all MFA-capable users instead of only those with voice calls or text messages'],
];

/** Renders the tenant's rollout switches, which have an effect only if the campaign state is "Provider managed". */
export function RolloutCard({ sandbox, tenant }: { readonly sandbox: string; readonly tenant: Tenant }) {
  const stored = tenant.rollout;
  const [turned, setTurned] = useState<Partial<Rollout>>({});
  const action = useControlAction(sandbox);
  const changed = Object.fromEntries(
    Object.entries(turned).filter(([name, value]) => stored[name as keyof Rollout] !== value),
  );
  const isChanged = Object.keys(changed).length > 0;
  const isManaged = tenant.campaign.state === null || tenant.campaign.state === 'default';
  return (
    <Card title="Roll-out">
      <p className="hint">
        Settings that the provider changes in a campaign it manages, one per switch (A19).
        {!isManaged && ' The provider does not manage this campaign, so the switches have no effect now.'}
      </p>
      <ul className="plain">
        {switches.map(([name, words, after]) => (
          <li key={name}>
            <label className="switch">
              <input
                type="checkbox"
                role="switch"
                aria-checked={turned[name] ?? stored[name]}
                checked={turned[name] ?? stored[name]}
                onChange={({ target }) => setTurned({ ...turned, [name]: target.checked })}
              />
              <span>
                {words} <span className="hint">{after}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={!isChanged || action.isPending}
          onClick={() =>
            action.mutate(() => api.patchTenant({ sandbox, body: { rollout: changed } }), {
              onSuccess: () => setTurned({}),
            })
          }
        >
          Save rollout
        </button>
        <button type="button" disabled={!isChanged} onClick={() => setTurned({})}>
          Reset to saved
        </button>
      </div>
      <Failure of={action.error} />
      {isChanged && <ChangePreview sandbox={sandbox} change={{ rollout: changed }} />}
    </Card>
  );
}
