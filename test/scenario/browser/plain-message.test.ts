import { expect, it } from 'vitest';
import { formatPlainMessage } from '../../../src/scenario/drivers/browser/device-context.ts';

it('driver-failed: a failure message of Playwright is reported without its color codes', () => {
  const error = new Error('locator.click: Timeout.\nCall log:\n\u001B[2m  - waiting\u001B[22m');
  expect(formatPlainMessage(error)).toBe('locator.click: Timeout.\nCall log:\n  - waiting');
});
