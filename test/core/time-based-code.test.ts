import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { codeValidForMs, encodeBase32, formatSetupUrl, timeBasedCode } from '../../src/core/time-based-code.ts';

describe('054: time-based one-time codes', () => {
  const secret = Buffer.from('12345678901234567890');

  // The test vectors of RFC 6238 have eight digits. A code consists of the last six.
  test.for([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)('054: the code at second %i matches the standard', ([seconds, code]) => {
    expect(timeBasedCode({ secret, periodSeconds: 30 }, seconds * 1_000)).toBe(code);
  });

  test('054: codes, their remaining validity, secrets and setup URLs match a reference library', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 0, max: 4e12 }), fc.string({ minLength: 1 }), (given, atMs, label) => {
        const ours = { secret: given, periodSeconds: 30 };
        const library = new TOTP({
          issuer: 'Lab & Co',
          label,
          secret: new Secret({ buffer: new Uint8Array(given).buffer }),
          period: 30,
        });
        expect(timeBasedCode(ours, atMs)).toBe(library.generate({ timestamp: atMs }));
        expect(codeValidForMs(ours, atMs)).toBe(library.remaining({ timestamp: atMs }));
        expect(encodeBase32(given)).toBe(library.secret.base32);
        expect(formatSetupUrl(ours, 'Lab & Co', label)).toBe(library.toString());
      }),
    );
  });
});
