import { describe, expect, it } from 'vitest';
import { readFirstSteps, stepIds, withStep } from '../../console/src/control/first-steps-state.ts';

const none = { isDismissed: false, done: [], beginnings: {} };

describe('stored first steps', () => {
  it('what was stored is read again', () => {
    const stored = { isDismissed: true, done: ['sign-in', 'clock'], beginnings: { default: 7 } };
    expect(readFirstSteps(JSON.stringify(stored))).toEqual(stored);
  });

  it.each([null, '', '{', 'null', '7', '[]', '{"done": "all", "isDismissed": "yes", "beginnings": {"a": "b"}}'])(
    '%j counts as no stored steps',
    (text) => {
      expect(readFirstSteps(text)).toEqual(none);
    },
  );

  it('unknown and repeated steps are ignored', () => {
    expect(readFirstSteps('{"done": ["clock", "dance", "clock"]}').done).toEqual(['clock']);
  });

  it('a step is done once', () => {
    const once = withStep(none, 'prompt');
    expect([once.done, withStep(once, 'prompt') === once]).toEqual([['prompt'], true]);
    expect(stepIds.reduce(withStep, none).done).toEqual([...stepIds]);
  });
});
