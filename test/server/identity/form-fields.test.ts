import { parse } from 'node-html-parser';
import { expect, test } from 'vitest';
import { field, formMessage } from '../../../src/server/identity/pages/sign-in-page.ts';

const attributes = 'type="text"';
const name = { name: 'code', label: 'Code <1>', attributes };

function parseFields(html: string): object {
  const root = parse(html);
  const input = root.querySelector('input');
  const label = root.querySelector('label');
  const alert = root.querySelector('[role="alert"]');
  return {
    input: input?.attributes,
    label: [label?.getAttribute('for'), label?.text],
    alert: alert === null ? null : [alert.getAttribute('id'), alert.text],
  };
}

test.for([
  [
    { ...name, message: null },
    { input: { id: 'code', name: 'code', type: 'text' }, label: ['code', 'Code <1>'], alert: null },
  ],
  [
    { ...name, control: 'code', id: 'code-2', message: null },
    {
      input: { id: 'code-2', name: 'code', 'data-control': 'code', type: 'text' },
      label: ['code-2', 'Code <1>'],
      alert: null,
    },
  ],
  [
    { ...name, message: 'Wrong & old' },
    {
      input: { id: 'code', name: 'code', type: 'text', 'aria-invalid': 'true', 'aria-describedby': 'code-fault' },
      label: ['code', 'Code <1>'],
      alert: ['code-fault', 'Wrong & old'],
    },
  ],
] as const)('bad-request: the field %j is labeled, and points to its message', ([given, expected]) => {
  expect(parseFields(field(given))).toEqual(expected);
});

test.for([
  [null, null],
  ['Wrong', 'Wrong'],
] as const)('bad-request: a form with the message %j alerts %j', ([message, text]) => {
  expect(parse(formMessage(message)).querySelector('[role="alert"]')?.text ?? null).toBe(text);
});
