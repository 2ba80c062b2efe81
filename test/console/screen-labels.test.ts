import { expect, test } from 'vitest';
import { formatScreen } from '../../console/src/parts/screen-label.ts';
import { screens } from '../../machines/sign-in.machine.ts';
import { pageNames } from '../../src/sandbox/screen-names.ts';
import { nonEmpty } from '../non-empty.ts';

test.each(nonEmpty(screens))(
  'the screen %s has the name of its page, as in scenarios and on the page itself',
  (screen) => {
    expect(formatScreen(screen)).toBe(pageNames[screen]);
  },
);
