import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Rules, User, Verdict } from '../control/answers.ts';
import { ask } from '../control/control-client.ts';
import { sandboxKey, useAnswer } from '../control/questions.ts';
import { Answered } from './answered.tsx';
import { Card } from './card.tsx';
import { SelectField } from './select-field.tsx';
import { VerdictPath } from './verdict-path.tsx';

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
  ['embedded-app', 'Embedded in an app'],
  ['embedded-os-settings', 'Settings of the system'],
  ['oobe', 'First start of a device'],
];
const methods: Options = [
  ['', 'As the user signs in'],
  ['sms', 'Text message'],
  ['voice', 'Voice call'],
  ['authenticator-totp', 'Code of the app'],
  ['authenticator-push', 'Push of the app'],
  ['hardware-totp', 'Hardware token'],
  ['passkey', 'Passkey'],
];
const yesNo: Options = [
  ['', 'No'],
  ['yes', 'Yes'],
];

interface Knobs {
  readonly os: string;
  readonly browser: string;
  readonly surface: string;
  readonly method: string;
  readonly sso: string;
  readonly termsOfUse: string;
}

const beginning: Knobs = { os: 'windows', browser: 'chrome', surface: 'browser', method: '', sso: '', termsOfUse: '' };

/** Why a user would be asked now, or not: the rules in order, judged anew with every knob that is turned. */
export function WhyCard({ sandbox, user }: { readonly sandbox: string; readonly user: User }) {
  const [knobs, setKnobs] = useState(beginning);
  const attempt = attemptOf(knobs);
  const rules = useAnswer<Rules>(sandbox, '/rules');
  const verdict = useQuery({
    queryKey: [...sandboxKey(sandbox), 'why', user.id, attempt],
    queryFn: () => ask<Verdict>(`POST /sandboxes/${sandbox}/explain`, { user: user.id, attempt }),
    placeholderData: (before) => before,
  });
  const knob = (label: string, name: keyof Knobs, options: Options) => (
    <SelectField
      label={label}
      value={knobs[name]}
      options={options}
      onChange={(value) => setKnobs({ ...knobs, [name]: value })}
    />
  );
  return (
    <Card title="Why?">
      <p className="hint">If {user.displayName} signed in now, on this device, in this way:</p>
      <div className="filters">
        {knob('System', 'os', systems)}
        {knob('Browser', 'browser', browsers)}
        {knob('Surface', 'surface', surfaces)}
        {knob('Second factor', 'method', methods)}
        {knob('Session by SSO', 'sso', yesNo)}
        {knob('Terms of use', 'termsOfUse', yesNo)}
      </div>
      <p>
        <a href={signInAddress(sandbox, user, knobs)} target="_blank" rel="noopener noreferrer">
          Sign in so, as {user.displayName}, in a new window
        </a>
      </p>
      <Answered to={verdict}>{(told) => <VerdictPath verdict={told} rules={rules.data} />}</Answered>
    </Card>
  );
}

function attemptOf({ os, browser, surface, method, sso, termsOfUse }: Knobs): Readonly<Record<string, unknown>> {
  return {
    os,
    browser,
    surface,
    ...(method === '' ? {} : { mfa: { method } }),
    ...(sso === '' ? {} : { ssoSession: true }),
    ...(termsOfUse === '' ? {} : { termsOfUse: true }),
  };
}

/** The first page of such a sign-in; what is left out is as the browser has it. */
function signInAddress(sandbox: string, user: User, { method, sso, ...knobs }: Knobs): string {
  const given = {
    user: user.userPrincipalName,
    ...knobs,
    mfaMethod: method,
    sso: sso === '' ? '' : 'true',
    termsOfUse: knobs.termsOfUse === '' ? '' : 'true',
  };
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
  return `/s/${sandbox}/sign-in?${query}`;
}
