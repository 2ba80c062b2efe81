import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type CampaignSettings, readCampaign } from '../control/policy.ts';
import { sandboxKey, useControlQuery } from '../control/questions.ts';
import { CampaignForm } from '../parts/campaign-form.tsx';
import { CampaignHistory } from '../parts/campaign-history.tsx';
import { Card } from '../parts/card.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { RolloutCard } from '../parts/rollout-card.tsx';
import { RulesetCards } from '../parts/ruleset-card.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Settings restored from the change history, or `null` if there are none, and the number of restores so far. */
interface Restored {
  readonly settings: CampaignSettings | null;
  readonly times: number;
}

/** Renders the ruleset in force, and the settings of a registration campaign, which an own campaign does not have. */
export function CampaignView({ sandbox }: { readonly sandbox: string }) {
  const inForce = useControlQuery('getSandboxRuleset', { sandbox });
  return (
    <>
      <ViewTitle title="Campaign" />
      {inForce.data?.base === 'own' ? (
        <p className="hint">
          The campaign is stated by the ruleset. The registration campaign of the tenant&apos;s policy is disabled, and
          no rule reads it.
        </p>
      ) : (
        <RegistrationCampaign sandbox={sandbox} />
      )}
      <RulesetCards sandbox={sandbox} />
    </>
  );
}

/** Renders the campaign settings, a preview of unsaved changes, and the change history to restore from. */
function RegistrationCampaign({ sandbox }: { readonly sandbox: string }) {
  const stored = useQuery({
    queryKey: [...sandboxKey(sandbox), 'policy'],
    queryFn: () => readCampaign(sandbox),
  });
  const campaign = useControlQuery('getCampaign', { sandbox });
  const tenant = useControlQuery('getTenant', { sandbox });
  const [restored, setRestored] = useState<Restored>({ settings: null, times: 0 });
  const saved = useRef(false);
  return (
    <>
      {campaign.data !== undefined && campaign.data.warnings.length > 0 && (
        <ul className="warnings">
          {campaign.data.warnings.map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      <QueryResult to={stored}>
        {(settings) => (
          <CampaignForm
            key={`${JSON.stringify(settings)} ${restored.times}`}
            sandbox={sandbox}
            stored={settings}
            beginning={restored.settings ?? settings}
            saved={saved}
            onSaved={() => setRestored(({ times }) => ({ settings: null, times }))}
          />
        )}
      </QueryResult>
      {tenant.data !== undefined && <RolloutCard sandbox={sandbox} tenant={tenant.data} />}
      <Card title="History">
        <QueryResult to={stored}>
          {(settings) => (
            <CampaignHistory
              sandbox={sandbox}
              onRestore={(earlier) =>
                setRestored(({ times }) => ({ settings: { ...settings, ...earlier }, times: times + 1 }))
              }
            />
          )}
        </QueryResult>
      </Card>
    </>
  );
}
