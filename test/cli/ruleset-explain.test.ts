import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const head = `ruleset: own
version: 1.0.0
format: 1
title: Own <b>campaign</b>
methods: { totp: { label: authenticator app, kind: totp } }
settings: { grace: { type: duration, default: 48h }, share: { type: integer, min: 0, max: 100, default: 20 } }
facts: { user: { until: { type: instant, default: null }, level: { type: integer, min: 0, max: 9, default: 0 } } }
gates: []
`;

/** Explains a ruleset with some more keys. */
async function explain(keys: string, ...options: readonly string[]) {
  const rest = keys.startsWith('gates:') ? head.replace('gates: []\n', '') : head;
  const cwd = suiteFolder({ 'a.ruleset.yaml': `${rest}${keys}\n` });
  return runHere(['ruleset', 'explain', 'a.ruleset.yaml', ...options], { cwd });
}

describe('ruleset explain', () => {
  it.each(
    nonEmpty([
      ['cadence: { kind: fixed, every: 7d }', 'The user is prompted again 7 days after the answer.'],
      [
        'cadence: { kind: growing, durations: [1d, 2w], anchor: lastShown, boundary: exclusive }',
        'The user is prompted again 1 day, then 14 days after the latest showing, and from then on always after the last of these.\nExactly at that time, the user is not yet prompted.',
      ],
      ['cadence: { kind: once }', 'The prompt is shown only once.'],
      [
        'deadline: { ends: [{ after: { setting: grace }, since: firstShown }], then: blocked }',
        'The deadline is 2 days (setting grace) after the prompt was first shown.\nBefore the deadline, the prompt can be turned down; from it on, the sign-in is blocked.',
      ],
      [
        "deadline: { ends: [{ at: '2026-05-01' }, { at: { fact: user.facts.until } }], choose: latest, opens: 30d, boundary: exclusive }",
        'The deadline is the latest of: 2026-05-01T00:00:00.000Z; the time in user.facts.until.\nA time that is unknown is left out.\nBefore the deadline, the prompt can be turned down; after it, the setup is required.\nThe first prompts are 30 days before the deadline.',
      ],
      [
        'limit: { of: 3, counts: snoozes, then: required, after: wait }',
        'After 3 snoozes, the prompt can no longer be turned down once it is time to prompt again.',
      ],
      [
        'limit: { of: 1, counts: snoozes, then: required, after: wait }',
        'After 1 snooze, the prompt can no longer be turned down once it is time to prompt again.',
      ],
      [
        'limit: { of: 3, counts: shown, then: never, after: wait, when: { fact: user.type, is: guest } }',
        'After 3 showings if user.type is guest, the user is not prompted again.',
      ],
      [
        'deadline: { ends: [{ at: { fact: user.facts.until } }, { after: 7d, since: { fact: user.facts.until } }] }',
        'The deadline is the earliest of: the time in user.facts.until; 7 days after the time in user.facts.until.\nA time that is unknown is left out; if all are, there is no deadline.',
      ],
      [
        'deadline: { ends: [{ after: 7d, since: { fact: user.facts.until } }], opens: 30d }',
        'The deadline is 7 days after the time in user.facts.until.\nIf this is unknown, there is no deadline.',
      ],
      [
        'done: { fact: user.facts.until, youngerThan: 180d }',
        'It is done if user.facts.until is less long ago than 180 days.',
      ],
      ['done: { fact: user.facts.until, olderThan: 1mo }', 'user.facts.until is longer ago than 1 month.'],
      ['done: { signIns: { within: 36h }, atLeast: 2 }', 'the number of sign-ins within 1 day 12 hours is at least 2.'],
      ['requirement: { required: { all: [] } }', 'The setup is required.'],
      ['failure: { skip: refused }', 'A failed setup cannot be skipped.'],
      [
        'failure: { stores: snooze }',
        'After a failed setup, the user can sign in without it, which counts as a snooze.',
      ],
      [
        'rollout: { percent: { setting: share }, by: device }',
        'The campaign reaches 20 percent of devices (setting share).',
      ],
      [
        'rollout: { percent: 100, variants: [{ id: a, share: 1, settings: {} }, { id: b, share: 3, settings: {} }] }',
        'Variant b (75 percent): the same settings.',
      ],
      [
        'completion: { set: { user.facts.until: now } }',
        'The completed setup sets user.facts.until to the time of the setup.',
      ],
      [
        'resets: [{ on: { newVersion: user.facts.level }, clears: [count, timer] }]',
        'A higher value of user.facts.level clears the snooze count and the time of the latest snooze.',
      ],
      [
        'answers: { later: { label: Later, effect: [snooze, session], for: 1d } }',
        '  "Later" starts a snooze and suppresses the prompt for the session for 1 day.\n',
      ],
      [
        'done: { fact: user.methods, size: { atLeast: 1 } }',
        'It is done if user.methods has at least 1 entry. Otherwise: already-done.',
      ],
      [
        "gates: [{ id: P7, summary: Few., when: { fact: user.facts.level, below: 9 }, stop: too-many }]\nreasons: { too-many: 'The level is {saw.level}.' }",
        'P7: Few. It lets the prompt through if user.facts.level is below 9. Otherwise too-many: The level is [level].',
      ],
      ['trigger: { on: [signIn, signUp] }', '  X.trigger: This is a sign-in or a sign-up. Otherwise: not-this-moment.'],
    ]),
  )('%s is described in sentences', async (keys, text) => {
    const { code, stdout } = await explain(keys);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(text) });
  });

  it('an edition has only the lines that it changes', async () => {
    const { stdout } = await explain(
      "cadence: { kind: once }\neditions: [{ from: '2026-05-01', id: spring, set: { cadence: { kind: everySignIn } } }]",
    );
    const [, changed = ''] = stdout.split('Changed from 2026-05-01T00:00:00.000Z on (edition spring):\n');
    const [added, ...removed] = changed.trim().split('\n');
    expect(added).toBe('The user is prompted at every sign-in.');
    expect(removed.length).toBeGreaterThan(0);
    expect(removed.filter((line) => !line.startsWith('No longer: '))).toEqual([]);
  });

  it.each([
    [
      'requirement: { required: { fact: user.type, is: guest } }',
      'requirement: null',
      /^No longer: .*user\.type is guest/m,
    ],
    ['resets: [{ on: removed, clears: [count] }]', 'resets: []', /^No longer: /m],
    [
      'gates: [{ id: G1, summary: A member., when: { fact: user.type, is: member }, stop: out }]\nreasons: { out: Only members. }',
      'gates: { G1: { when: { fact: user.type, is: guest } } }',
      /^ {2}G1: A member\. It lets the prompt through if user\.type is guest\. Otherwise out: Only members\.$/m,
    ],
  ])('OC42 an edition over "%s" says what "%s" changes', async (keys, set, sentence) => {
    const { code, stdout } = await explain(`${keys}\neditions: [{ from: '2026-05-01', set: { ${set} } }]`);
    expect(code).toBe(0);
    const [, changed = ''] = stdout.split(/^Changed from .*$/m);
    expect(changed).toMatch(sentence);
    expect(changed).not.toContain('No rule changes.');
  });

  it('--md has headings, lists and a diagram, and the texts of the ruleset have no effect', async () => {
    const { code, stdout } = await explain('cadence: { kind: once }', '--md');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# Own \\<b\\>campaign\\<\/b\\> \(own 1\.0\.0\)\n\n/);
    expect(stdout).toMatch(/\n## Answers\n\n- "Skip for now" starts a snooze\.\n/);
    expect(stdout).toMatch(/```mermaid\nstateDiagram-v2\n {2}anyState --> registrationRequired: /);
  });

  it('--html is one page without scripts, and the texts of the ruleset have no effect', async () => {
    const { code, stdout } = await explain('cadence: { kind: once }', '--html');
    expect(code).toBe(0);
    expect(stdout).toMatch(/<h1>Own &#60;b&#62;campaign&#60;\/b&#62; \(own 1\.0\.0\)<\/h1>/);
    expect(stdout).toMatch(/<ul>\n<li>&#34;Skip for now&#34; starts a snooze\.<\/li>/);
    expect([stdout.split('<ul>').length, stdout.includes('<script')]).toEqual([stdout.split('</ul>').length, false]);
  });

  it('--md and --html exclude each other', async () => {
    expect(await explain('', '--md', '--html')).toMatchObject({ code: 2, stderr: expect.stringMatching(/Choose one/) });
  });
});
