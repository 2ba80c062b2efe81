import { describe, expect, it } from 'vitest';
import { earliestLocalTime, latestLocalTime, readInstant, toLocalTime } from '../../console/src/control/instant.ts';

describe('date and time of the clock field', () => {
  it.each([
    ['2026-01-05T09:00', '2026-01-05T09:00:00.000Z'],
    ['2026-01-05T09:00:07', '2026-01-05T09:00:07.000Z'],
    ['2026-01-05T09:00:07.5', '2026-01-05T09:00:07.500Z'],
    [' 2026-01-05 09:00 ', '2026-01-05T09:00:00.000Z'],
    ['2028-02-29T00:00', '2028-02-29T00:00:00.000Z'],
    [earliestLocalTime, '1970-01-01T00:00:00.000Z'],
    [latestLocalTime, '9999-12-31T23:59:59.000Z'],
  ])('%s is read as %s', (text, instant) => {
    expect(readInstant(text)).toEqual({ instant, fault: null });
    expect(readInstant(toLocalTime(instant)).fault).toBeNull();
  });

  it.each([
    '',
    'tomorrow',
    '2026-01-05',
    '09:00',
    '2026-02-30T09:00',
    '2027-02-29T09:00',
    '2026-13-01T09:00',
    '2026-01-05T25:00',
  ])('%j is not a date and time, and the message shows an example', (text) => {
    expect(readInstant(text)).toEqual({ instant: null, fault: expect.stringContaining('2026-01-05 09:00') });
  });

  it.each(['1969-12-31T23:59', '10000-01-01T00:00', '275760-01-01T00:00'])(
    '%s is outside the range of the clock, and the message names the range',
    (text) => {
      expect(readInstant(text)).toEqual({ instant: null, fault: expect.stringMatching(/1970 to 9999/) });
    },
  );
});
