import { expect, test } from 'vitest';
import {
  buildFormBody,
  findButton,
  hasControl,
  parsePage,
} from '../../../../src/scenario/drivers/pages/parsed-page.ts';

const prompt = `<!doctype html><html><body><p role="alert">outside of the main element</p>
<main data-page="prompt" data-sign-in="s7" data-snoozes-left="2" data-leave="/sign-in/s7"><h1>Set up</h1>
<form method="post" action="/sign-in/s7">
<input type="hidden" name="formToken" value="a&#38;b">
<label for="deviceId">Device</label><input id="deviceId" name="deviceId" data-control="device" value="d&#34;1">
<label for="type">Type</label><select id="type" name="type" data-control="passkey-type"><option value="x">X</option><option value="y" selected>Y</option></select>
<button name="action" value="next" data-control="next">Next</button><button name="action" value="skip" data-control="skip"> Skip for now </button>
</form></main></body></html>`;

test('parsePage: reads the page markers, fields and buttons', () => {
  expect(parsePage(prompt)).toEqual({
    name: 'prompt',
    signInId: 's7',
    snoozesLeft: 2,
    error: null,
    forms: [
      {
        ceremony: null,
        action: '/sign-in/s7',
        fields: [
          { control: null, name: 'formToken', value: 'a&b', label: null },
          { control: 'device', name: 'deviceId', value: 'd"1', label: 'Device' },
          { control: 'passkey-type', name: 'type', value: 'y', label: 'Type' },
        ],
        choices: [],
        boxes: [],
        buttons: [
          { control: 'next', name: 'action', value: 'next', label: 'Next' },
          { control: 'skip', name: 'action', value: 'skip', label: 'Skip for now' },
        ],
      },
    ],
    links: {},
    number: null,
    hasBeacon: true,
    signals: null,
    upgrade: null,
  });
});

test('parsePage: reads ceremonies, named links and the number to match', () => {
  const { forms, links, number, hasBeacon } = parsePage(`<a href="/outside" data-control="outside">Outside</a>
<main data-page="mfa"><p class="number" data-number="07">07</p><a href="/other">Other</a>
<a href="/phone/a&#38;b" data-control="open-phone">open the phone</a>
<form action="/x" data-ceremony="get" data-options="{&#34;challenge&#34;:&#34;abc&#34;}"><button data-starts>Use</button></form>
</main>`);
  expect([forms[0]?.ceremony, links, number, hasBeacon]).toEqual([
    '{"challenge":"abc"}',
    { 'open-phone': '/phone/a&b' },
    '07',
    false,
  ]);
});

test('parsePage: reads the signals, and the passkey that the browser creates automatically', () => {
  const { signals, upgrade } = parsePage(`<main data-page="signed-in" data-signals="{&#34;a&#34;:1}">
<div hidden data-upgrade="{&#34;challenge&#34;:&#34;abc&#34;}" data-address="/sign-in/s7" data-token="t"></div></main>`);
  expect([signals, upgrade]).toEqual([
    { a: 1 },
    { options: { challenge: 'abc' }, action: '/sign-in/s7', formToken: 't' },
  ]);
});

test('parsePage: ignores an empty alert and returns the first alert with text', () => {
  const page = (text: string) =>
    parsePage(`<main data-page="mfa"><p role="alert"> </p><p role="alert">${text}</p></main>`);
  expect([page('').error, page(' <b>No</b>,\n  really. ').error]).toEqual([null, 'No, really.']);
});

test('findButton: finds a button by its stable name in any language', () => {
  const page = parsePage(prompt.replace('Skip for now', 'التخطي الآن').replace('data-control="next"', ''));
  expect([findButton(page, 'skip')?.button.value, findButton(page, 'next')]).toEqual(['skip', null]);
  expect(['skip', 'device', 'next', 'Skip for now'].map((name) => hasControl(page, name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('buildFormBody: sends every field, the entered texts and the pressed button', () => {
  const found = findButton(parsePage(prompt), 'skip');
  if (found === null) throw new Error('The button is missing.');
  const body = new URLSearchParams(buildFormBody(found.form, found.button, { texts: { device: 'my & phone' } }));
  expect([...body]).toEqual([
    ['formToken', 'a&b'],
    ['deviceId', 'my & phone'],
    ['type', 'y'],
    ['action', 'skip'],
  ]);
});

test('driver-failed: a field that is missing in the form is rejected', () => {
  const found = findButton(parsePage(prompt), 'next');
  if (found === null) throw new Error('The button is missing.');
  expect(() => buildFormBody(found.form, found.button, { texts: { code: '1' } })).toThrow(
    expect.objectContaining({ code: 'driver-failed', message: expect.stringContaining('"code"') }),
  );
});

test.for(['', '{"error":{"code":"x"}}', '<main>no name</main>', '<div data-page="prompt"></div>'])(
  'driver-failed: %j is not a page',
  (document) => {
    expect(() => parsePage(document)).toThrow(expect.objectContaining({ code: 'driver-failed' }));
  },
);

test('parsePage: returns no snooze count if the page shows none', () => {
  const left = (mark: string) => parsePage(`<main data-page="prompt"${mark}></main>`).snoozesLeft;
  expect([left(' data-snoozes-left="unlimited"'), left(''), left(' data-snoozes-left="0"')]).toEqual([null, null, 0]);
});

test('buildFormBody: sends the checked or the selected option', () => {
  const [form] = parsePage(`<main data-page="mfa-choice"><form action="/x"><input type="hidden" name="t" value="1">
<label class="choice"><input type="radio" name="method" value="sms" checked> A text</label>
<label class="choice"><input type="radio" name="method" value="voice"> A call</label>
<button name="action" value="use">Continue</button></form></main>`).forms;
  const button = form?.buttons[0];
  if (form === undefined || button === undefined) throw new Error('The form is missing.');
  expect(form.fields).toEqual([{ control: null, name: 't', value: '1', label: null }]);
  expect(buildFormBody(form, button, {})).toBe('t=1&method=sms&action=use');
  expect(buildFormBody(form, button, { choice: 'voice' })).toBe('t=1&method=voice&action=use');
  expect(() => buildFormBody(form, button, { choice: 'fax' })).toThrow(
    expect.objectContaining({ code: 'driver-failed', message: expect.stringContaining('"fax"') }),
  );
});

test('buildFormBody: sends what a browser sends, and no control that is disabled or has no name', () => {
  const page = parsePage(`<main data-page="setup"><form action="/x">
<input TYPE="Hidden" name="t" value="1"><input value="without a name">
<textarea name="note">a
b</textarea>
<INPUT type="RADIO" name="size" value="s" checked><input type="radio" name="size" value="m">
<input type="radio" name="color" value="red" checked><input type="radio" name="color" value="blue">
<input type="Checkbox" name="agreed" value="yes" checked><input type="checkbox" name="news" value="yes" data-control="news">
<input name="off" value="2" disabled><fieldset disabled><input name="inner" value="3"><button data-control="b">B</button></fieldset>
<button data-control="skip" disabled>Skip</button><button name="action" value="go" data-control="go">Go</button></form></main>`);
  expect([hasControl(page, 'skip'), hasControl(page, 'b')]).toEqual([false, false]);
  const found = findButton(page, 'go');
  if (found === null) throw new Error('The button is missing.');
  const send = (entries: Parameters<typeof buildFormBody>[2]) => buildFormBody(found.form, found.button, entries);
  expect(send({})).toBe('t=1&note=a%0D%0Ab&size=s&color=red&agreed=yes&action=go');
  expect(send({ choice: 'blue', checks: ['news'] })).toBe(
    't=1&note=a%0D%0Ab&size=s&color=blue&agreed=yes&news=yes&action=go',
  );
});

test('parsePage: ignores text that only resembles a main element', () => {
  const decoy = '<main data-page="decoy"></main>';
  for (const before of [
    `<!-- ${decoy} -->`,
    `<script>"${decoy}"</script>`,
    `<style>/* ${decoy} */</style>`,
    `<template>${decoy}</template>`,
  ]) {
    for (const space of ['', '\n']) {
      const body = `${space}<main data-page="real">${before}${space}</main>`;
      expect(parsePage(`<!doctype html><html><head>${before}</head><body>${body}</body></html>`).name).toBe('real');
      expect(parsePage(`<html><head></head><body>${body}</body>\n${before}</html>`).name).toBe('real');
    }
  }
  expect(parsePage('<MAIN data-page="upper"></MAIN>').name).toBe('upper');
  expect(parsePage(`<!--\n${decoy} --><MAIN data-page="upper"></MAIN>`).name).toBe('upper');
  expect(parsePage('<main data-page="open"><p>never closed').name).toBe('open');
  expect(parsePage('<main data-page="first"></main><main data-page="second"></main>').name).toBe('first');
  expect(() => parsePage(`<!-- ${decoy} --><p></p>`)).toThrow(expect.objectContaining({ code: 'driver-failed' }));
});
