/**
 * Client script of all pages. Without it, the pages work except for passkeys, signals to authenticators, and the
 * detection of closed prompts.
 */

/** Timeout of a ceremony in milliseconds, in case an authenticator never responds. */
const ceremonyTimeoutMs = 120_000;

let stopAutofill;
let autofill;
let submitted = false;

/** Forms with a passkey button. `data-ceremony` is the type of ceremony, and `data-options` contains its options. */
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
  // Only one request is allowed at a time, so the autofill request must end before the button starts its own.
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

/** Offers passkeys in the browser's autofill suggestions for the username. */
async function offerAutofill(form) {
  if (!(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
  stopAutofill = new AbortController();
  try {
    const credential = await get(form.dataset['options'], { mediation: 'conditional', signal: stopAutofill.signal });
    send(form, 'passkey', credential);
  } catch {
    // The user entered a name or pressed the button, so there is nothing to report.
  }
}

/** Signals the user's passkeys to authenticators. Browsers that do not support signals are skipped. */
async function signal(signals) {
  for (const [name, options] of Object.entries(signals)) {
    const method = `signal${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    try {
      await globalThis.PublicKeyCredential?.[method]?.(options);
    } catch {
      // An authenticator that rejects the signal keeps offering its passkeys.
    }
  }
}

/** Lets the browser create a passkey automatically, if supported, after a sign-in with an autofilled password. */
async function upgrade(place) {
  const { upgrade: options, address, token } = place.dataset;
  place.dataset['state'] = await upgraded(JSON.parse(options), address, token);
}

/** Returns the result: `unsupported` by the browser, `not-created`, or `accepted` or `rejected` by the server. */
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
  // The authenticator must not offer a passkey that the server rejects.
  if (!ok) await signal({ unknownCredential: { rpId: options.rp.id, credentialId: credential.id } });
  return ok ? 'accepted' : 'rejected';
}

/** Serializes a credential for the server. The secrets of the pseudo-random function stay in the browser. */
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

/** Sends an unload beacon if the user closes or leaves a prompt (R9). Submitting a form does not count as leaving. */
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
    // The number lets the server distinguish closed pages from reloaded ones, in whatever order the requests arrive.
    navigator.sendBeacon(leave, new URLSearchParams({ action: 'left', formToken, shown }));
  });
  // A page restored from the back-forward cache is reloaded, so the server can withdraw the beacon.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.replace(leave);
  });
}

/** Replaces the URL of a form response. Reloading or returning to the page then requests it again without the form. */
function forgetForm() {
  const main = document.querySelector('main[data-sign-in]');
  if (main === null) return;
  const address = main.querySelector('input[name="formToken"]')?.form.getAttribute('action');
  history.replaceState(null, '', address ?? location.href);
}
