import { expect, test } from 'vitest';
import { encodeForm, findButton, readPage } from '../../../../src/scenario/drivers/http/pages.ts';

const prompt = `<!doctype html><html><body><p role="alert">not in the main part</p>
<main data-page="prompt" data-sign-in="s7" data-snoozes-left="2"><h1>Set up</h1>
<form method="post" action="/sign-in/s7">
<input type="hidden" name="formToken" value="a&#38;b">
<label for="deviceId">Device</label><input id="deviceId" name="deviceId" value="d&#34;1">
<label for="kind">Kind</label><select id="kind" name="kind"><option value="x">X</option><option value="y" selected>Y</option></select>
<button name="action" value="next">Next</button><button name="action" value="skip"> Skip for now </button>
</form></main></body></html>`;

test('http driver: what a page shows is read from its marks, labels and buttons', () => {
  expect(readPage(prompt)).toEqual({
    name: 'prompt',
    signInId: 's7',
    snoozesLeft: 2,
    error: null,
    forms: [
      {
        ceremony: null,
        address: '/sign-in/s7',
        fields: [
          { name: 'formToken', label: null, value: 'a&b' },
          { name: 'deviceId', label: 'Device', value: 'd"1' },
          { name: 'kind', label: 'Kind', value: 'y' },
        ],
        choices: [],
        buttons: [
          { label: 'Next', name: 'action', value: 'next' },
          { label: 'Skip for now', name: 'action', value: 'skip' },
        ],
      },
    ],
    links: [],
    number: null,
    signals: null,
    upgrade: null,
  });
});

test('http driver: what a form asks the browser for, where links lead and the number to match are read too', () => {
  const { forms, links, number } = readPage(`<a href="/outside">Outside</a><main data-page="mfa">
<p class="number" data-number="07">07</p><a href="/phone/a&#38;b"> open the simulated phone </a>
<form action="/x" data-ceremony="get" data-options="{&#34;challenge&#34;:&#34;abc&#34;}"><button data-starts>Use passkey</button></form>
</main>`);
  expect([forms[0]?.ceremony, links, number]).toEqual([
    '{"challenge":"abc"}',
    [{ label: 'open the simulated phone', address: '/phone/a&b' }],
    '07',
  ]);
});

test('http driver: an alert without words is no error, and the first one with words is', () => {
  const page = (text: string) =>
    readPage(`<main data-page="mfa"><p role="alert"> </p><p role="alert">${text}</p></main>`);
  expect([page('').error, page(' No. ').error]).toEqual([null, 'No.']);
});

test('http driver: a button that is not there is not found, whatever else the page says', () => {
  const page = readPage(prompt.replace('Skip for now', 'Later'));
  expect([page.name, findButton(page, 'Skip for now'), findButton(page, 'Next')?.button.value]).toEqual([
    'prompt',
    null,
    'next',
  ]);
});

test('http driver: a form is sent as it stands, with what was typed and the button that was pressed', () => {
  const found = findButton(readPage(prompt), 'Skip for now');
  if (found === null) throw new Error('The button is there.');
  const body = new URLSearchParams(encodeForm(found.form, found.button, { Device: 'my & phone' }));
  expect([...body]).toEqual([
    ['formToken', 'a&b'],
    ['deviceId', 'my & phone'],
    ['kind', 'y'],
    ['action', 'skip'],
  ]);
});

test('driver-failed: a label that the form does not have is refused', () => {
  const found = findButton(readPage(prompt), 'Next');
  if (found === null) throw new Error('The button is there.');
  expect(() => encodeForm(found.form, found.button, { Code: '1' })).toThrow(
    expect.objectContaining({ code: 'driver-failed' }),
  );
});

test.for(['', '{"error":{"code":"x"}}', '<main>no name</main>', '<div data-page="prompt"></div>'])(
  'driver-failed: %j is no page',
  (document) => {
    expect(() => readPage(document)).toThrow(expect.objectContaining({ code: 'driver-failed' }));
  },
);

test('http driver: no limit and no number of snoozes are both null', () => {
  const left = (mark: string) => readPage(`<main data-page="prompt"${mark}></main>`).snoozesLeft;
  expect([left(' data-snoozes-left="unlimited"'), left(''), left(' data-snoozes-left="0"')]).toEqual([null, null, 0]);
});

test('http driver: of choices that exclude each other the marked one is sent, or the one that was chosen by its label', () => {
  const [form] = readPage(`<main data-page="mfa-choice"><form action="/x"><input type="hidden" name="t" value="1">
<label class="choice"><input type="radio" name="method" value="sms" checked> A text</label>
<label class="choice"><input type="radio" name="method" value="voice"> A call</label>
<button name="action" value="use">Continue</button></form></main>`).forms;
  const button = form?.buttons[0];
  if (form === undefined || button === undefined) throw new Error('no form');
  expect(form.fields).toEqual([{ name: 't', label: null, value: '1' }]);
  expect(encodeForm(form, button, {})).toBe('t=1&method=sms&action=use');
  expect(encodeForm(form, button, {}, 'A call')).toBe('t=1&method=voice&action=use');
  expect(() => encodeForm(form, button, {}, 'A fax')).toThrow(expect.objectContaining({ code: 'driver-failed' }));
});

test('http driver: what only looks like a main part is none, and without one there is no page', () => {
  const decoy = '<main data-page="decoy"></main>';
  for (const before of [`<!-- ${decoy} -->`, `<script>"${decoy}"</script>`, `<style>/* ${decoy} */</style>`]) {
    const document = `<!doctype html><html><head>${before}</head><body><main data-page="real"></main></body></html>`;
    expect(readPage(document).name).toBe('real');
  }
  expect(readPage('<MAIN data-page="upper"></MAIN>').name).toBe('upper');
  expect(readPage('<main data-page="open"><p>never closed').name).toBe('open');
  expect(readPage('<main data-page="first"></main><main data-page="second"></main>').name).toBe('first');
  expect(() => readPage('<div data-page="none"></div>')).toThrow(expect.objectContaining({ code: 'driver-failed' }));
  expect(() => readPage(`<!-- ${decoy} --><p></p>`)).toThrow(expect.objectContaining({ code: 'driver-failed' }));
});
