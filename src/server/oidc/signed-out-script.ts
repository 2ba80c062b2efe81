import { createScript, type ScriptAsset, submission } from './submit-script.ts';

/** Longest wait for the frames of applications, in milliseconds (CL81). */
const waitMs = 2_000;

const asset = createScript(
  'leave-signed-out',
  `const frames = [...document.querySelectorAll('iframe')];
const next = document.querySelector('[data-control="continue"]').href;
let left = frames.length;
let hasLeft = false;
const leave = () => {
  if (hasLeft) return;
  hasLeft = true;
  location.replace(next);
};
const loaded = () => {
  left -= 1;
  if (left <= 0) leave();
};
for (const frame of frames) {
  frame.addEventListener('load', loaded);
  frame.addEventListener('error', loaded);
  frame.src = frame.dataset.src;
}
setTimeout(leave, ${waitMs});
`,
);

/** Path of the script that leads on after the frames of a sign-out have loaded. */
export const signedOutScriptPath = asset.path;

/** Scripts of the pages between an application and its user. */
export const pageScripts: readonly ScriptAsset[] = [submission, asset];
