import { describe, expect, test } from 'vitest';
import { checkOwnText } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { formatFault } from '../../../src/scenario/rulesets/ruleset-fault.ts';
import { parseRulesetText } from '../../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../../non-empty.ts';
import { lineWith, rulesetText } from './ruleset-text.ts';

type Changes = Readonly<Record<string, string>>;

const done = 'done: { fact: user.passkeys, size: { atLeast: 1 } }';

/** Returns an edition of May 2026 with a patch. */
function edition(set: string): Changes {
  return { editions: `editions: [{ from: '2026-05-01', set: ${set} }]` };
}

function check(changes: Changes) {
  return checkOwnText(parseRulesetText('a.ruleset.yaml', rulesetText({ ...changes, done })));
}

/** Deadlines that can never act: the code, the key whose line has the fault, a part of its message, and the other lines. */
const planted: readonly (readonly [code: string, key: string, part: string, changes: Changes])[] = [
  [
    'RS28',
    'editions',
    '2026-04-30T00:00:00.000Z is over when the edition begins at 2026-05-01T00:00:00.000Z, so no user is prompted',
    edition("{ deadline: { ends: [{ at: '2026-04-30' }], then: none } }"),
  ],
  [
    'RS28',
    'deadline',
    'no user is prompted, because the end after 30 days moves on until the first prompt',
    { deadline: 'deadline: { ends: [{ after: 30d, since: firstShown }], opens: 20d }' },
  ],
  [
    'RS28',
    'deadline',
    'no user is prompted, because the end after 30 days moves on until the first prompt',
    {
      deadline:
        "deadline: { ends: [{ after: 30d, since: firstShown }, { at: '2026-05-01' }], choose: latest, opens: 20d }",
    },
  ],
  [
    'RS29',
    'editions',
    'so what is stated for the time before it never applies',
    edition("{ deadline: { ends: [{ at: '2026-05-01' }] } }"),
  ],
  [
    'RS29',
    'editions',
    '2026-05-01T18:00:00.000Z is over when the edition begins',
    edition("{ deadline: { ends: [{ at: '2026-05-01T18:00:00Z' }], measure: date } }"),
  ],
  [
    'RS29',
    'editions',
    'opens the campaign at 2026-04-10T00:00:00.000Z, before the edition begins',
    edition("{ deadline: { ends: [{ at: '2026-05-10' }], opens: 30d } }"),
  ],
  [
    'RS29',
    'deadline',
    '2026-06-01T00:00:00.000Z never decides, because 2026-05-01T00:00:00.000Z is always chosen (earliest)',
    { deadline: "deadline: { ends: [{ at: '2026-06-01' }, { at: '2026-05-01' }] }" },
  ],
  [
    'RS29',
    'deadline',
    'the end after 7 days never decides, because the end after 14 days is always chosen (latest)',
    { deadline: 'deadline: { ends: [{ after: 7d, since: created }, { after: 14d, since: created }], choose: latest }' },
  ],
  [
    'RS29',
    'deadline',
    'the end after 7 days never decides, because the end after 7 days is always chosen (earliest)',
    { deadline: 'deadline: { ends: [{ after: 7d, since: created }, { after: 7d, since: created }] }' },
  ],
];

/** Deadlines that act. */
const sound: readonly (readonly [name: string, changes: Changes])[] = [
  [
    'an end one millisecond after the edition begins',
    edition("{ deadline: { ends: [{ at: '2026-05-01T00:00:00.001Z' }] } }"),
  ],
  [
    'an exclusive end at which the edition begins',
    edition("{ deadline: { ends: [{ at: '2026-05-01' }], boundary: exclusive } }"),
  ],
  [
    'an edition that keeps a past deadline and makes it stricter',
    {
      deadline: "deadline: { ends: [{ at: '2026-04-01' }], opens: 30d }",
      ...edition('{ deadline: { then: blocked } }'),
    },
  ],
  [
    'an edition that keeps an open deadline',
    { deadline: "deadline: { ends: [{ at: '2026-05-10' }], opens: 30d }", ...edition('{ lifetime: 5m }') },
  ],
  [
    'a past end of the ruleset itself, which was in force before',
    { deadline: "deadline: { ends: [{ at: '2020-01-01' }] }" },
  ],
  [
    'a past instant that counts only for users without a later end',
    {
      facts: 'facts: { user: { at: { type: instant, default: null } } }',
      ...edition("{ deadline: { ends: [{ at: '2026-04-01' }, { at: { fact: user.facts.at } }], choose: latest } }"),
    },
  ],
  [
    'a period since the first prompt that opens with it',
    { deadline: 'deadline: { ends: [{ after: 30d, since: firstShown }], opens: 30d }' },
  ],
  [
    'a period since the first prompt beside an end that opens before it',
    { deadline: "deadline: { ends: [{ after: 30d, since: firstShown }, { at: '2026-05-01' }], opens: 20d }" },
  ],
  [
    'a period since a time of the user, which can open before that time',
    { deadline: 'deadline: { ends: [{ after: 7d, since: { fact: user.facts.endsAt } }], opens: 52d }' },
  ],
  [
    'ends that begin with different events, or in units that are not comparable',
    {
      deadline:
        'deadline: { ends: [{ after: 7d, since: created }, { after: 14d, since: firstShown }, { after: 1mo, since: created }] }',
    },
  ],
];

describe('deadlines that can never act', () => {
  test.each(nonEmpty(planted))('%s is reported at the line of %s: %s', (code, key, part, changes) => {
    const { ruleset, faults } = check(changes);
    expect(faults.map(formatFault).join('\n')).toContain(part);
    expect(faults.map((fault) => [fault.code, Number(fault.location.split(':')[1])])).toEqual([
      [code, lineWith(rulesetText({ ...changes, done }), key)],
    ]);
    expect(faults.map(({ severity }) => severity)).toEqual([code === 'RS29' ? 'warning' : 'fault']);
    expect(ruleset === null).toBe(code === 'RS28');
  });

  test.each(nonEmpty(sound))('RS28 and RS29 are not reported for %s', (_name, changes) => {
    expect(check(changes).faults.map(formatFault)).toEqual([]);
  });

  test('RS29 names the line and column of the instant in the patch of its edition', () => {
    const changes = edition("{ deadline: { ends: [{ at: '2026-04-01' }] } }");
    const line = changes['editions'] ?? '';
    const [warning, ...others] = check(changes).faults;
    const row = lineWith(rulesetText({ ...changes, done }), 'editions');
    expect(warning?.location).toBe(`a.ruleset.yaml:${row}:${line.indexOf("'2026-04-01'") + 1}`);
    expect([warning?.path, others]).toEqual(['editions.0.set.deadline.ends.0.at', []]);
  });
});
