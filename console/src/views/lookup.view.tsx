import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LookupCalls, LookupService } from '../control/answers.ts';
import { api, isRefusal } from '../control/control-client.ts';
import { type LookupUsage, lookupUsage } from '../control/lookup.ts';
import { sandboxKey, useControlAction, useControlQuery } from '../control/questions.ts';
import { Card, Empty } from '../parts/card.tsx';
import { formatCount } from '../parts/labels.ts';
import { LookupQuery } from '../parts/lookup-query.tsx';
import { LookupTokens } from '../parts/lookup-tokens.tsx';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Token of the built-in lookup client, preset in the form. */
const shippedToken = 'test-token';

/** Renders the lookup service: a request form with the response, quotas, tools and tokens. */
export function LookupView({ sandbox }: { readonly sandbox: string }) {
  const [token, setToken] = useState(shippedToken);
  const service = useControlQuery('getLookup', { sandbox });
  const calls = useControlQuery('listLookupCalls', { sandbox });
  const usage = useQuery({
    queryKey: [...sandboxKey(sandbox), 'usage', token],
    queryFn: () => lookupUsage(sandbox, token),
  });
  return (
    <>
      <ViewTitle title="Lookup" />
      <QueryResult to={service}>
        {(data) => (
          <>
            <div className="grid wide">
              <Card title="Ask">
                <LookupQuery sandbox={sandbox} service={data} token={token} onToken={setToken} />
              </Card>
              <Card title="Quota of this token">
                {usage.error === null ? (
                  <QueryResult to={usage}>{(used) => <Quota usage={used} />}</QueryResult>
                ) : (
                  <QuotaRefused error={usage.error} />
                )}
              </Card>
            </div>
            <Card title="Tools">
              <Tools sandbox={sandbox} service={data} calls={calls.data} />
            </Card>
            <Card title="Tokens">
              <LookupTokens sandbox={sandbox} service={data} onUse={setToken} />
            </Card>
          </>
        )}
      </QueryResult>
    </>
  );
}

function QuotaRefused({ error }: { readonly error: Error }) {
  return isRefusal(error) ? <Empty>{error.message}</Empty> : <Failure of={error} />;
}

function Quota({ usage: { tier, windows } }: { readonly usage: LookupUsage }) {
  if (windows.length === 0) return <Empty>{tier}: no limit.</Empty>;
  return (
    <ul className="states">
      {windows.map(({ name, limit, used }) => (
        <li key={name}>
          <span>{name}</span>
          <meter min={0} max={limit} high={limit * 0.8} value={used} aria-label={`Usage of the limit, ${name}`} />
          <span className="number">
            {used.toLocaleString('en')} of {limit.toLocaleString('en')}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Tools({
  sandbox,
  service: { tools },
  calls,
}: {
  readonly sandbox: string;
  readonly service: LookupService;
  readonly calls: LookupCalls | undefined;
}) {
  const action = useControlAction(sandbox);
  const set = (type: string, tool: string, enabled: boolean): void =>
    action.mutate(() => api.setLookupTool({ sandbox, type, tool, body: { enabled } }));
  return (
    <>
      <Failure of={action.error} />
      <div className="grid">
        {Object.entries(tools).map(([type, ofType]) => (
          <fieldset key={type}>
            <legend>{type}</legend>
            <ul className="tools">
              {ofType.map(({ id, name, enabled }) => (
                <li key={id}>
                  <label className="switch">
                    <input
                      type="checkbox"
                      role="switch"
                      aria-checked={enabled}
                      checked={enabled}
                      onChange={({ target }) => set(type, id, target.checked)}
                    />
                    {name}
                  </label>
                  <span className="hint">{formatCount(calls?.byTool[id] ?? 0, 'call')}</span>
                </li>
              ))}
            </ul>
          </fieldset>
        ))}
      </div>
    </>
  );
}
