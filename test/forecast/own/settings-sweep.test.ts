import { describe, expect, it } from 'vitest';
import { sweptSettings } from '../../../src/forecast/own/settings-sweep.ts';
import { shippedForecast } from './own-descriptions.ts';

const { ruleset, description } = shippedForecast('passkey-week');

function listProblems(written: readonly string[]): unknown {
  try {
    return sweptSettings(description, ruleset, written).length;
  } catch (error) {
    return error;
  }
}

describe('sweep through the settings of a ruleset file', () => {
  it('OC34 every combination is a description with these settings', () => {
    const swept = sweptSettings(description, ruleset, ['settings.window=1d', '7d', 'settings.percent=50', '100']);
    expect(swept.map(({ settings }) => settings)).toEqual([
      { window: '1d', percent: '50' },
      { window: '1d', percent: '100' },
      { window: '7d', percent: '50' },
      { window: '7d', percent: '100' },
    ]);
    expect(swept[0]?.description.tenant.settings).toEqual({
      ...description.tenant.settings,
      window: '1d',
      percent: 50,
    });
    expect(swept[0]?.description.defaults).toEqual(description.defaults);
  });

  it.each([
    [['settings.windw=1d'], 'did you mean "settings.window"'],
    [['window=1d'], 'is not one of settings.featureOn'],
    [['1d'], 'put settings.NAME= before it'],
    [['settings.window=1'], 'is no duration'],
    [['settings.percent=101'], 'settings.percent'],
    [['settings.featureOn=yes'], 'settings.featureOn'],
  ])('OC34 %j is rejected', (written, message) => {
    expect(listProblems(written)).toMatchObject({
      code: 'usage-invalid',
      problems: [{ location: '--sweep', message: expect.stringContaining(message) }],
    });
  });
});
