import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { type Screen, type SignInEvent, screens, signInMachine } from '../../machines/sign-in.machine.ts';
import { createStepper } from '../../machines/step.ts';

const step = createStepper(signInMachine);

function evaluated(outcome: 'none' | 'skippable' | 'required', more: Partial<SignInEvent> = {}): SignInEvent {
  return { type: 'attempt.evaluated', outcome, interstitials: [], ...more } as SignInEvent;
}

const name: SignInEvent = { type: 'name.accepted' };
const password: SignInEvent = { type: 'password.accepted', externalMfa: false };
const passed: SignInEvent = { type: 'interstitial.passed' };
const next: SignInEvent = { type: 'prompt.nextSelected' };
const skip: SignInEvent = { type: 'prompt.skipped', refused: false };
const refusedSkip: SignInEvent = { type: 'prompt.skipped', refused: true };
const completed: SignInEvent = { type: 'setup.completed' };
const failed: SignInEvent = { type: 'setup.failed' };
const skipError: SignInEvent = { type: 'errorScreen.skipped' };
const resolved: SignInEvent = { type: 'prompt.resolved' };
const choose: SignInEvent = { type: 'mfa.methodListOpened' };
const chosen: SignInEvent = { type: 'mfa.methodChosen' };
const pushed: SignInEvent = { type: 'push.sent' };
const made: SignInEvent = { type: 'passkey.created' };

function expired(required = false): SignInEvent {
  return { type: 'prompt.expired', required };
}

const toPrompt = [name, password, evaluated('skippable')];
const toRequired = [name, password, evaluated('required')];

/** Lists the screens of a sign-in: the first one, and one after each event. */
function screensAfter(...events: readonly SignInEvent[]): readonly Screen[] {
  let snapshot = signInMachine.resolveState({
    value: 'name',
    context: { pending: [], required: false },
  });
  const visitedScreens: Screen[] = [];
  for (const event of events) {
    snapshot = step(snapshot, event);
    visitedScreens.push(snapshot.value as Screen);
  }
  return visitedScreens;
}

function screenAfter(...events: readonly SignInEvent[]): Screen | undefined {
  return screensAfter(...events).at(-1);
}

describe('Order of sign-in screens', () => {
  test.for([
    ['R1', [name, password, evaluated('skippable')], ['password', 'mfa', 'prompt']],
    ['R6', [name, password, evaluated('required')], ['password', 'mfa', 'required']],
    ['R1', [name, password, evaluated('none')], ['password', 'mfa', 'notNudged']],
    ['R13.1', [evaluated('none')], ['notNudged']],
    ['R1', [name, evaluated('none')], ['password', 'notNudged']],
    ['R3', [name, { ...password, externalMfa: true }, evaluated('none')], ['password', 'externalMfa', 'notNudged']],
    [
      'R13.4',
      [name, password, evaluated('none', { interstitials: ['termsOfUse'] }), passed],
      ['password', 'mfa', 'termsOfUse', 'notNudged'],
    ],
    [
      'R13.3',
      [name, password, evaluated('none', { interstitials: ['blocked'] }), passed],
      ['password', 'mfa', 'blocked', 'notNudged'],
    ],
    [
      'R13.3',
      [name, password, evaluated('none', { interstitials: ['termsOfUse', 'blocked'] }), passed, passed],
      ['password', 'mfa', 'termsOfUse', 'blocked', 'notNudged'],
    ],
    [
      'R13.5',
      [
        name,
        password,
        evaluated('none', { interstitials: ['securityInfo', 'customControls', 'blocked'] }),
        passed,
        passed,
        passed,
      ],
      ['password', 'mfa', 'securityInfo', 'customControls', 'blocked', 'notNudged'],
    ],
    ['R3', [name, password, choose, choose, chosen], ['password', 'mfa', 'mfaChoice', 'mfaChoice', 'mfa']],
    [
      'A45',
      [...toPrompt, next, pushed, pushed, completed],
      ['password', 'mfa', 'prompt', 'setup', 'setupTest', 'setupTest', 'signedIn'],
    ],
    ['A11', [...toPrompt, next, made, completed], ['password', 'mfa', 'prompt', 'setup', 'setupName', 'signedIn']],
    ['A11', [...toPrompt, next, made, next], ['password', 'mfa', 'prompt', 'setup', 'setupName', 'setup']],
    ['R13.1', [evaluated('none', { interstitials: ['termsOfUse'] }), passed], ['termsOfUse', 'notNudged']],
    ['R5', [...toPrompt, skip], ['password', 'mfa', 'prompt', 'signedIn']],
    ['A1', [...toRequired, refusedSkip, refusedSkip], ['password', 'mfa', 'required', 'required', 'required']],
    ['A39', [...toPrompt, refusedSkip], ['password', 'mfa', 'prompt', 'required']],
    ['A39', [...toRequired, skip], ['password', 'mfa', 'required', 'signedIn']],
    ['R10.1', [...toPrompt, next, completed], ['password', 'mfa', 'prompt', 'setup', 'signedIn']],
    [
      'R11.8',
      [...toPrompt, next, failed, skipError],
      ['password', 'mfa', 'prompt', 'setup', 'errorScreen', 'signedIn'],
    ],
    [
      'A13',
      [...toRequired, next, failed, skipError],
      ['password', 'mfa', 'required', 'setup', 'errorScreen', 'signedIn'],
    ],
    [
      'A12',
      [...toPrompt, next, failed, next, completed],
      ['password', 'mfa', 'prompt', 'setup', 'errorScreen', 'setup', 'signedIn'],
    ],
    ['A11', [...toPrompt, next, next, skip], ['password', 'mfa', 'prompt', 'setup', 'setup', 'signedIn']],
    ['A42', [...toPrompt, next, refusedSkip], ['password', 'mfa', 'prompt', 'setup', 'required']],
  ] as const satisfies readonly (readonly [string, readonly SignInEvent[], readonly Screen[]])[])(
    '%s: %j shows %j',
    ([, events, shown]) => {
      expect(screensAfter(...events)).toEqual(shown);
    },
  );

  /** Screens with an open prompt, each with the events that lead to it. */
  const open: readonly (readonly [Screen, readonly SignInEvent[]])[] = [
    ['prompt', toPrompt],
    ['required', toRequired],
    ['setup', [...toPrompt, next]],
    ['setupTest', [...toPrompt, next, pushed]],
    ['setupName', [...toPrompt, next, made]],
    ['errorScreen', [...toPrompt, next, failed]],
  ];

  test.for(open)(
    'A40: an expiry on %s leads to a screen on which a late skip completes the sign-in',
    ([screen, way]) => {
      expect(screenAfter(...way)).toBe(screen);
      expect(screensAfter(...way, expired(), skip).slice(-2)).toEqual(['expired', 'signedIn']);
    },
  );

  test.for(open)('A1: on %s, if it could not be skipped, a late skip does not complete the sign-in', ([, way]) => {
    expect(screensAfter(...way, expired(true), skip, skip).slice(-3)).toEqual(['expired', 'expired', 'expired']);
  });

  test.for(open)('A40: after %s has expired, nothing can be set up', ([, way]) => {
    expect(screensAfter(...way, expired(), next, completed, failed).slice(-4)).toEqual([
      'expired',
      'expired',
      'expired',
      'expired',
    ]);
  });

  test.for(open)(
    'A27: on %s, a registration elsewhere resolves the prompt, and every action then completes the sign-in',
    ([, way]) => {
      for (const answer of [skip, next, skipError]) {
        expect(screensAfter(...way, resolved, answer).slice(-2)).toEqual(['resolved', 'signedIn']);
      }
    },
  );

  test('A43: a resolved prompt neither expires nor fails', () => {
    expect(screenAfter(...toPrompt, resolved, expired(), failed)).toBe('resolved');
  });

  test.for(['signedIn', 'notNudged'] as const)('A26: %s is final for every event', (end) => {
    const way = end === 'signedIn' ? [...toPrompt, skip] : [name, password, evaluated('none')];
    for (const late of [
      name,
      password,
      evaluated('required'),
      passed,
      next,
      skip,
      completed,
      failed,
      skipError,
      expired(),
    ]) {
      expect(screenAfter(...way, late)).toBe(end);
    }
  });

  test('R1: no event shows a prompt before the attempt is evaluated', () => {
    for (const early of [next, skip, completed, failed, skipError, passed, expired(), resolved]) {
      expect(screensAfter(early, name, early, password, early)).toEqual(['name', 'password', 'password', 'mfa', 'mfa']);
    }
  });

  test('R13.4: terms of use replace any prompt', () => {
    expect(screenAfter(name, password, evaluated('skippable', { interstitials: ['termsOfUse'] }))).toBe('termsOfUse');
  });

  test('R1: a sign-in starts with the username, with nothing blocked and nothing required', () => {
    const { value, context } = createActor(signInMachine).getSnapshot();
    expect({ value, context }).toEqual({ value: 'name', context: { pending: [], required: false } });
  });

  test('R1: every screen is reachable', () => {
    const events = [
      name,
      password,
      { ...password, externalMfa: true } as SignInEvent,
      evaluated('none'),
      evaluated('skippable'),
      evaluated('required'),
      evaluated('none', { interstitials: ['termsOfUse'] }),
      evaluated('none', { interstitials: ['blocked'] }),
      evaluated('none', { interstitials: ['securityInfo', 'customControls'] }),
      ...[choose, chosen, pushed, made],
      ...[passed, next, skip, refusedSkip, completed, failed, skipError, expired(), expired(true), resolved],
    ];
    const paths = getShortestPaths(signInMachine, { events, limit: 10_000 });
    expect([...new Set(paths.map((path) => path.state.value as Screen))].sort()).toEqual([...screens].sort());
  });
});
