import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { useSearchParams } from 'wouter';
import type { ControlRequest } from '../../../src/client/control-client.ts';
import { counterfactualLines } from '../../../src/report/counterfactual-text.ts';
import type { RulesetInForce, Rulesets, TenantSettings, User } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { finishStep } from '../control/first-steps.ts';
import { sandboxKey, useControlQuery, useRulesets } from '../control/questions.ts';
import { Card } from './card.tsx';
import { VerdictPath } from './evaluation-trace.tsx';
import { factorLabels, formatRuleset } from './labels.ts';
import { QueryResult } from './query-result.tsx';
import { SelectField } from './select-field.tsx';

type Attempt = ControlRequest<'explain'>['body']['attempt'];
type Options = readonly (readonly [value: string, label: string])[];

const systems: Options = [
  ['windows', 'Windows'],
  ['macos', 'macOS'],
  ['ios', 'iOS'],
  ['android', 'Android'],
  ['linux', 'Linux'],
  ['unknown', 'Unknown'],
];
const browsers: Options = [
  ['chrome', 'Chrome'],
  ['edge', 'Edge'],
  ['firefox', 'Firefox'],
  ['safari', 'Safari'],
  ['other', 'Another'],
];
const surfaces: Options = [
  ['browser', 'Browser'],
  ['native-app', 'Native app'],
  ['embedded-app', 'Embedded app view'],
  ['embedded-os-settings', 'OS settings view'],
  ['oobe', 'Out-of-box setup'],
];
const methods: Options = [['', 'Default for the user'], ...Object.entries(factorLabels), ['passkey', 'Passkey']];
const yesNo: Options = [
  ['', 'No'],
  ['yes', 'Yes'],
];

interface ExplainInputs {
  readonly os: string;
  readonly browser: string;
  readonly surface: string;
  readonly method: string;
  readonly sso: string;
  readonly termsOfUse: string;
  readonly deviceId: string;
  readonly network: string;
  readonly ruleset: string;
}

const beginning: ExplainInputs = {
  os: 'windows',
  browser: 'chrome',
  surface: 'browser',
  method: '',
  sso: '',
  termsOfUse: '',
  deviceId: '',
  network: '',
  ruleset: '',
};

/** Reads the changed inputs from the query parameters of a URL, so the view can be shared. */
function turnedIn(address: URLSearchParams): Partial<ExplainInputs> {
  return Object.fromEntries([...address].filter(([name]) => name in beginning));
}

/** Explains whether a user would be prompted now. Every changed input evaluates the rules again. */
export function ExplainCard({ sandbox, user }: { readonly sandbox: string; readonly user: User }) {
  const [address, setAddress] = useSearchParams();
  const counterfactualId = useId();
  useEffect(() => finishStep('explain'), []);
  const inputs: ExplainInputs = { ...beginning, ...turnedIn(address) };
  const attempt = toAttempt(inputs);
  const { ruleset } = inputs;
  const inForce = useControlQuery('getSandboxRuleset', { sandbox });
  const rulesets = useRulesets();
  const settings = useControlQuery('getSettings', { sandbox });
  const verdict = useQuery({
    queryKey: [...sandboxKey(sandbox), 'why', user.id, attempt, ruleset],
    queryFn: () => api.explain({ sandbox, body: { user: user.id, attempt, ...(ruleset === '' ? {} : { ruleset }) } }),
    placeholderData: (before) => before,
  });
  const input = (label: string, name: keyof ExplainInputs, options: Options) => (
    <SelectField
      label={label}
      value={inputs[name]}
      options={options}
      onChange={(value) =>
        setAddress(
          (before) => {
            if (value === beginning[name]) before.delete(name);
            else before.set(name, value);
            return before;
          },
          { replace: true },
        )
      }
    />
  );
  return (
    <Card title="Explain verdict">
      <p className="hint">If {user.displayName} signed in now with these settings:</p>
      <div className="filters">
        {input('System', 'os', systems)}
        {input('Browser', 'browser', browsers)}
        {input('Surface', 'surface', surfaces)}
        {input('Device', 'deviceId', listDevices(user))}
        {input('Network', 'network', listNetworks(settings.data))}
        {input('Second factor', 'method', methods)}
        {input('SSO session', 'sso', yesNo)}
        {input('Terms of use', 'termsOfUse', yesNo)}
        {input('Ruleset', 'ruleset', listRulesets(inForce.data, rulesets.data))}
      </div>
      <p>
        <a href={signInAddress(sandbox, user, inputs)} target="_blank" rel="noopener noreferrer">
          Sign in as {user.displayName} with these settings, in a new window
        </a>
      </p>
      <QueryResult to={verdict}>
        {(explained) => (
          <>
            <VerdictPath verdict={explained} headline={explained.headline} sentences={explained.sentences} />
            {explained.counterfactual !== undefined && (
              <section aria-labelledby={counterfactualId}>
                <h3 id={counterfactualId}>What would prompt the user</h3>
                <ul>
                  {counterfactualLines(explained.counterfactual).map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </section>
            )}
          </>
        )}
      </QueryResult>
    </Card>
  );
}

/** Returns the device options: the default device, the devices with passkeys of the user, and another device. */
function listDevices({ passkeys }: User): Options {
  const deviceIds = [...new Set(passkeys.map(({ deviceId }) => deviceId))].filter((id) => id !== deviceDefault);
  return [['', deviceDefault], ...deviceIds.map((id) => [id, id] as const), [anotherDevice, 'Another one']];
}

const deviceDefault = 'device-1';
const anotherDevice = 'another-device';

/** Returns the network options: no named location, and each named location of the tenant. */
function listNetworks(settings: TenantSettings | undefined): Options {
  const named = settings?.context?.namedLocations ?? [];
  return [
    ['', named.length === 0 ? 'No named location' : 'No named location'],
    ...named.map((name) => [name, name] as const),
  ];
}

/**
 * Returns the rulesets that can evaluate the sign-in: that of the sandbox, and for a registration campaign all others of
 * the same base. The ledgers of an own campaign are read by its ruleset only.
 */
function listRulesets(inForce: RulesetInForce | undefined, known: Rulesets | undefined): Options {
  const others = (known?.rulesets ?? []).filter(
    ({ ruleset, base }) => base === 'registration-campaign' && base === inForce?.base && ruleset !== inForce.ruleset,
  );
  return [
    ['', `${inForce?.ruleset ?? ''} (sandbox)`],
    ...others.map((one) => [one.ruleset, formatRuleset(one)] as const),
  ];
}

/** Builds the sign-in attempt from the inputs. The server validates values that come from the URL. */
function toAttempt(inputs: ExplainInputs): Attempt {
  const { os, browser, surface, method, sso, termsOfUse, deviceId, network } = inputs;
  return {
    os,
    browser,
    surface,
    ...(method === '' ? {} : { mfa: { method } }),
    ...(sso === '' ? {} : { ssoSession: true }),
    ...(termsOfUse === '' ? {} : { termsOfUse: true }),
    ...(deviceId === '' ? {} : { deviceId }),
    ...(network === '' ? {} : { network }),
  } as Attempt;
}

/** Returns the URL of the first page of such a sign-in. Omitted values come from the browser. */
function signInAddress(
  sandbox: string,
  user: User,
  { method, sso, ruleset: _judges, ...inputs }: ExplainInputs,
): string {
  const given = {
    user: user.userPrincipalName,
    ...inputs,
    mfaMethod: method,
    sso: sso === '' ? '' : 'true',
    termsOfUse: inputs.termsOfUse === '' ? '' : 'true',
  };
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
  return `/s/${sandbox}/sign-in?${query}`;
}
