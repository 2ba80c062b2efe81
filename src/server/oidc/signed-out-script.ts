import { createScript, type ScriptAsset, submission } from './submit-script.ts';

/** Longest wait for the frames of applications, in milliseconds (CL81). */
const waitMs = 2_000;

const asset = createScript(
  'leave-signed-out',
  // The frames follow the script and load without it. It is read before them, so it misses no event.
  `let loaded = 0;
let frames = Infinity;
let next = '';
const leave = () => {
  if (next === '') return;
  const to = next;
  next = '';
  location.replace(to);
};
const countFrame = ({ target }) => {
  if (target instanceof HTMLIFrameElement) loaded += 1;
  if (loaded >= frames) leave();
};
document.addEventListener('load', countFrame, true);
document.addEventListener('error', countFrame, true);
addEventListener('DOMContentLoaded', () => {
  frames = document.querySelectorAll('iframe').length;
  next = document.querySelector('[data-control="continue"]').href;
  if (loaded >= frames) leave();
  else setTimeout(leave, ${waitMs});
});
`,
);

/** Path of the script that leads on after the frames of a sign-out have loaded. */
export const signedOutScriptPath = asset.path;

/** Scripts of the pages between an application and its user. */
export const pageScripts: readonly ScriptAsset[] = [submission, asset];
