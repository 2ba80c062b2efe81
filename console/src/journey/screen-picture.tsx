import { type PictureName, screenSketches } from '../../../src/report/screen-sketches.ts';
import type { SignIn } from '../control/answers.ts';
import { formatScreen } from '../parts/screen-label.ts';
import type { OwnScreenTexts } from './own-screen-texts.ts';

/** Sketches of the screens of a sign-in; several screens share one. */
const sketchByScreen: Readonly<Record<string, PictureName>> = {
  name: 'name',
  password: 'password',
  mfa: 'code',
  mfaChoice: 'choice',
  externalMfa: 'elsewhere',
  securityInfo: 'security-info',
  termsOfUse: 'terms-of-use',
  customControls: 'custom-controls',
  blocked: 'blocked',
  prompt: 'prompt',
  required: 'required',
  setup: 'setup',
  setupTest: 'setup',
  setupName: 'setup',
  errorScreen: 'error-screen',
  expired: 'expired',
  resolved: 'resolved',
  signedIn: 'signed-in',
  notNudged: 'not-nudged',
};

/**
 * Thumbnail of a screen. `screen` is `undefined` if the event led to no screen; `method` is the method of the campaign, and
 * `texts` are those of an own campaign for the screens that it words.
 */
export function ScreenPicture({
  screen,
  method,
  texts,
}: {
  readonly screen: string | undefined;
  readonly method: SignIn['method'];
  readonly texts?: OwnScreenTexts | undefined;
}) {
  const name = screen === undefined ? undefined : sketchByScreen[screen];
  const sketch =
    name === undefined ? undefined : (screenSketches[`${name}-${method}` as PictureName] ?? screenSketches[name]);
  if (sketch === undefined) return <span className="screen none">no screen</span>;
  const { heading, field, buttons = [] } = { ...sketch, ...texts?.(screen ?? '') };
  return (
    <span className="screen" data-screen={screen}>
      <span className="screen-name">{formatScreen(screen ?? '')}</span>
      <strong>{heading}</strong>
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
