import type { SignIn } from '../control/answers.ts';

/** What a screen shows, in few words: its heading, whether something is typed there, and its buttons, the main one first. */
interface Sketch {
  readonly heading: string;
  readonly field?: string;
  readonly text?: string;
  readonly buttons?: readonly string[];
}

const sketches: Readonly<Record<string, Sketch>> = {
  name: { heading: 'Sign in', field: 'Username', buttons: ['Next'] },
  password: { heading: 'Enter the password', field: 'Password', buttons: ['Sign in'] },
  mfa: { heading: 'Verify that it is you', field: 'Code', buttons: ['Verify'] },
  mfaChoice: { heading: 'Sign in another way', text: 'A list of methods' },
  externalMfa: { heading: 'Verify elsewhere', text: 'At another provider', buttons: ['Go on'] },
  securityInfo: { heading: 'More information is wanted', text: 'Registration under other rules', buttons: ['Go on'] },
  termsOfUse: { heading: 'Terms of use', text: 'To be accepted', buttons: ['Accept'] },
  customControls: { heading: 'A custom control', text: 'At another service', buttons: ['Go on'] },
  blocked: { heading: 'Registration is blocked', text: 'By conditional access', buttons: ['Go on'] },
  prompt: { heading: 'Set it up', text: 'The nudge', buttons: ['Next', 'Skip for now'] },
  required: { heading: 'Set it up', text: 'No snooze is left', buttons: ['Next'] },
  setup: { heading: 'Set-up', text: 'In the app, or of a passkey', buttons: ['Next', 'Skip for now'] },
  setupTest: { heading: 'Try it out', text: 'A request was sent', buttons: ['Next'] },
  setupName: { heading: 'Name the passkey', field: 'Name', buttons: ['Save'] },
  errorScreen: { heading: 'That did not work', text: 'The error screen', buttons: ['Try again', 'Skip'] },
  expired: { heading: 'The page is out of date', text: 'The prompt has ended', buttons: ['Skip for now'] },
  resolved: { heading: 'It is set up already', text: 'Done elsewhere', buttons: ['Go on'] },
  signedIn: { heading: '✓ Signed in' },
  notNudged: { heading: '✓ Signed in', text: 'Not prompted' },
};

const methods = { fido2: 'a passkey', vendorAuthenticator: 'the app' } as const;

/** A screen of a sign-in, drawn small. Takes its name, `undefined` where the input led to none, and the method that is asked for. */
export function ScreenPicture({
  screen,
  method,
}: {
  readonly screen: string | undefined;
  readonly method: SignIn['method'];
}) {
  const sketch = screen === undefined ? undefined : sketches[screen];
  if (sketch === undefined) return <span className="screen none">no screen</span>;
  const { heading, field, text, buttons = [] } = sketch;
  const asks = screen === 'prompt' || screen === 'required';
  return (
    <span className="screen" data-screen={screen}>
      <span className="screen-name">{screen}</span>
      <strong>{asks && method !== null ? `Set up ${methods[method]}` : heading}</strong>
      {text !== undefined && <span className="screen-text">{text}</span>}
      {field !== undefined && <span className="screen-field">{field}</span>}
      <span className="screen-buttons">
        {buttons.map((label, index) => (
          <span key={label} className={index === 0 ? 'main' : undefined}>
            {label}
          </span>
        ))}
      </span>
    </span>
  );
}
