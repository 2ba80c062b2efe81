/**
 * The one client script of the pages. Passkeys cannot be asked for without it, authenticators hear no signal, and without it nobody
 * hears that a prompt was left. Everything else works without.
 */

/** How long a ceremony may take, in ms, before the page gives up on an authenticator that never answers. */
const ceremonyTimeoutMs = 120_000;

let stopAutofill;
let autofill;
let submitted = false;

/** Forms whose button asks the browser for a passkey: `data-ceremony` says which kind, `data-options` what for. */
for (const form of document.querySelectorAll('form[data-ceremony]')) {
  form.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (button?.dataset['starts'] === undefined || form.elements.namedItem('credential').value !== '') return;
    event.preventDefault();
    void hold(form, button);
  });
}

for (const main of document.querySelectorAll('main[data-signals]')) void signal(JSON.parse(main.dataset['signals']));

for (const place of document.querySelectorAll('[data-upgrade]')) void upgrade(place);

for (const form of document.querySelectorAll('form[data-autofill]')) autofill = offerAutofill(form);

forgetForm();
watchForLeaving();

async function hold(form, button) {
  const { ceremony, options } = form.dataset;
  const message = form.querySelector('[data-message]');
  if (message !== null) message.textContent = '';
  button.disabled = true;
  // One request at a time: the one among the names has to be over before that of the button begins.
  stopAutofill?.abort();
  await autofill;
  try {
    const signal = AbortSignal.timeout(ceremonyTimeoutMs);
    send(form, button.value, ceremony === 'create' ? await create(options, signal) : await get(options, { signal }));
  } catch {
    button.disabled = false;
    if (ceremony === 'create') send(form, 'fail', null);
    else if (message !== null) message.textContent = message.dataset['message'];
    if ('autofill' in form.dataset) autofill = offerAutofill(form);
  }
}

function create(options, signal) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
  return navigator.credentials.create({ publicKey, signal });
}

function get(options, rest) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
  return navigator.credentials.get({ publicKey, ...rest });
}

/** Passkeys stand among the names that the browser offers to fill in. */
async function offerAutofill(form) {
  if (!(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
  stopAutofill = new AbortController();
  try {
    const credential = await get(form.dataset['options'], { mediation: 'conditional', signal: stopAutofill.signal });
    send(form, 'passkey', credential);
  } catch {
    // The user typed a name, or pressed the button: nothing is to be told.
  }
}

/** Tells authenticators about the passkeys of the user, by the names of the signals; browsers without signals are told nothing. */
async function signal(signals) {
  for (const [name, options] of Object.entries(signals)) {
    const method = `signal${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    try {
      await globalThis.PublicKeyCredential?.[method]?.(options);
    } catch {
      // An authenticator that does not take it goes on offering what it has.
    }
  }
}

/** Has the browser create a passkey by itself, where it can: after a sign-in with a password that it has just filled in. */
async function upgrade(place) {
  const { upgrade: options, address, token } = place.dataset;
  place.dataset['state'] = await upgraded(JSON.parse(options), address, token);
}

/** What came of it: `unsupported` by the browser, `not-created`, or `accepted` or `rejected` by the server. */
async function upgraded(options, address, token) {
  const capabilities = await globalThis.PublicKeyCredential?.getClientCapabilities?.();
  if (!capabilities?.conditionalCreate) return 'unsupported';
  let credential;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    credential = await navigator.credentials.create({ publicKey, mediation: 'conditional' });
  } catch {
    return 'not-created';
  }
  const body = new URLSearchParams({ action: 'upgrade', formToken: token, credential: textOf(credential) });
  const { ok } = await fetch(address, { method: 'POST', body });
  // The authenticator shall not offer a passkey that nobody accepts.
  if (!ok) await signal({ unknownCredential: { rpId: options.rp.id, credentialId: credential.id } });
  return ok ? 'accepted' : 'rejected';
}

/** What the server is sent of a passkey. The secrets of its pseudo-random function stay in the browser. */
function textOf(credential) {
  const json = JSON.parse(JSON.stringify(credential));
  delete json.clientExtensionResults?.prf?.results;
  return JSON.stringify(json);
}

function send(form, action, credential) {
  form.elements.namedItem('credential').value = credential === null ? '' : textOf(credential);
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'action';
  field.value = action;
  form.append(field);
  submitted = true;
  form.submit();
}

/** A prompt that is left without an answer says so (R9): closing, going back or elsewhere, but not sending a form. */
function watchForLeaving() {
  const main = document.querySelector('main[data-leave]');
  if (main === null) return;
  const { leave, shown } = main.dataset;
  document.addEventListener('submit', (event) => {
    if (!event.defaultPrevented) submitted = true;
  });
  addEventListener('pagehide', () => {
    if (submitted) return;
    const formToken = document.querySelector('input[name="formToken"]')?.value ?? '';
    // The number tells the server a page that was left from one that was loaded again, whichever of the requests is first.
    navigator.sendBeacon(leave, new URLSearchParams({ action: 'left', formToken, shown }));
  });
  // A page that comes back from the browser's cache is looked at again: the server hears of it as of a reload.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.replace(leave);
  });
}

/** The page came as the answer to a form. Reloading it, or going back to it, asks for it anew and sends no form again. */
function forgetForm() {
  const main = document.querySelector('main[data-sign-in]');
  if (main === null) return;
  const address = main.querySelector('input[name="formToken"]')?.form.getAttribute('action');
  history.replaceState(null, '', address ?? location.href);
}
