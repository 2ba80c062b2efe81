import type { SandboxInfo, ServerInfo } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlQuery, useServer } from '../control/questions.ts';
import { chooseTheme, type Theme, useTheme } from '../control/theme.ts';
import { AccessTokens } from '../parts/access-tokens.tsx';
import { BrandingForm } from '../parts/branding-form.tsx';
import { Card } from '../parts/card.tsx';
import { formatInstant, themeLabels } from '../parts/labels.ts';
import { NewSandbox } from '../parts/new-sandbox.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Renders server information, branding, evaluation settings, API tokens and the console theme. */
export function SettingsView({ sandbox }: { readonly sandbox: string }) {
  const server = useServer();
  const info = useControlQuery('getSandbox', { sandbox });
  return (
    <>
      <ViewTitle title="Settings" />
      <div className="grid">
        <Card title="Console">
          <ThemeChoice />
        </Card>
        <Card title="Server">
          <QueryResult to={server}>{(data) => <ServerFacts server={data} />}</QueryResult>
        </Card>
        <Card title="Sandbox">
          <QueryResult to={info}>{(data) => <SandboxFacts info={data} />}</QueryResult>
        </Card>
        <Card title="New sandbox">
          <NewSandbox />
        </Card>
      </div>
      <div className="grid wide">
        <Card title="Branding">
          <BrandingForm sandbox={sandbox} />
        </Card>
        <Card title="Access tokens">
          <AccessTokens sandbox={sandbox} />
        </Card>
      </div>
    </>
  );
}

function ThemeChoice() {
  const theme = useTheme();
  return (
    <fieldset>
      <legend>Colors</legend>
      <div className="inputs">
        {Object.entries(themeLabels).map(([name, words]) => (
          <label className="switch" key={name}>
            <input type="radio" name="theme" checked={theme === name} onChange={() => chooseTheme(name as Theme)} />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ServerFacts({ server: { version, store, keyRequired: guarded, limits } }: { readonly server: ServerInfo }) {
  const most = (count: number): string => count.toLocaleString('en');
  const openapi = api.getUrl('getOpenapi', {});
  return (
    <>
      <dl className="facts">
        <dt>Address</dt>
        <dd>{location.origin}</dd>
        <dt>Control API</dt>
        <dd>
          <a href={openapi}>
            {location.origin}
            {openapi.slice(0, openapi.lastIndexOf('/'))}
          </a>
        </dd>
        <dt>Version</dt>
        <dd>{version === '' ? 'not told' : version}</dd>
        <dt>Store</dt>
        <dd>{store === 'memory' ? 'In memory (lost when the server stops)' : store}</dd>
        <dt>Control key</dt>
        <dd>
          {guarded ? (
            'required'
          ) : (
            <>
              Not required: anyone who can reach the server has full access. Start it with <code>--control-key</code> to
              require a key.
            </>
          )}
        </dd>
      </dl>
      <details>
        <summary>Limits</summary>
        <dl className="facts">
          <dt>Sandboxes</dt>
          <dd>{most(limits.sandboxes)}</dd>
          <dt>Users per sandbox</dt>
          <dd>{most(limits.usersPerSandbox)}</dd>
          <dt>Entries per journal</dt>
          <dd>{most(limits.entriesPerJournal)}</dd>
          <dt>Open event streams per sandbox</dt>
          <dd>{most(limits.eventStreamsOfASandbox)}</dd>
          <dt>Bytes per body</dt>
          <dd>{most(limits.bodyBytes)}</dd>
          <dt>Users per forecast</dt>
          <dd>{most(limits.usersOfAForecast)}</dd>
          <dt>Days per forecast</dt>
          <dd>{most(limits.daysPerForecast)}</dd>
        </dl>
      </details>
    </>
  );
}

function SandboxFacts({ info: { id, baseUrl, ruleset, seed, clock, users, entries } }: { readonly info: SandboxInfo }) {
  return (
    <dl className="facts">
      <dt>Id</dt>
      <dd>{id}</dd>
      <dt>Address</dt>
      <dd>
        <a href={baseUrl}>{baseUrl}</a>
      </dd>
      <dt>Ruleset</dt>
      <dd>{ruleset}</dd>
      <dt>Seed</dt>
      <dd>{seed}</dd>
      <dt>Clock</dt>
      <dd>
        {formatInstant(clock.now)}, {clock.running ? 'running at real speed' : 'frozen'}
      </dd>
      <dt>Users</dt>
      <dd>{users.toLocaleString('en')}</dd>
      <dt>Journal entries</dt>
      <dd>{entries.toLocaleString('en')}</dd>
    </dl>
  );
}
