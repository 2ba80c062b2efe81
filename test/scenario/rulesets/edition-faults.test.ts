import { describe, expect, test } from 'vitest';
import { checkOwnText } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { formatFault } from '../../../src/scenario/rulesets/ruleset-fault.ts';
import { parseRulesetText } from '../../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from './ruleset-text.ts';

type Changes = Readonly<Record<string, string>>;

/** Writes editions one month after another, each with its patch. */
function withEditions(sets: readonly string[], changes: Changes = {}): string {
  const list = sets.map((set, index) => `  - { from: '2026-0${index + 1}-01', set: ${set} }`);
  return rulesetText({ ...changes, editions: ['editions:', ...list].join('\n') });
}

/** Returns the faults as code, line of the text that contains the place, and path. */
function listFaults(text: string): readonly string[] {
  const lines = text.split('\n');
  const { faults } = checkOwnText(parseRulesetText('a.ruleset.yaml', text));
  return faults.map((fault) => {
    const [, line, column] = fault.location.split(':');
    const rest = lines[Number(line) - 1]?.slice(Number(column) - 1) ?? '';
    return `${fault.code} ${fault.path} @ ${rest.split(/[ ,}]/)[0]}`;
  });
}

const cases: readonly (readonly [what: string, text: string, faults: readonly string[]])[] = [
  [
    'an unknown key of an edition is reported in that edition alone',
    withEditions(['{ cadense: 1 }', '{ lifetime: 5m }', '{ lifetime: 6m }']),
    ['RS01 editions.0.set @ cadense:'],
  ],
  [
    'a value of an edition is reported in that edition alone',
    withEditions(['{ cadence: { kind: fixed, every: 7 } }', '{ lifetime: 5m }', '{ cadence: { anchor: answer } }']),
    ['RS16 editions.0.set.cadence.every @ 7'],
  ],
  [
    'a value that a later edition writes again is reported there too',
    withEditions(['{ cadence: { kind: fixed, every: 7 } }', '{ cadence: { every: 7 } }', '{ lifetime: 5m }']),
    ['RS16 editions.0.set.cadence.every @ 7', 'RS16 editions.1.set.cadence.every @ 7'],
  ],
  [
    'what an edition causes by combination is reported in that edition',
    withEditions([
      '{ cadence: { kind: fixed, every: { setting: window } } }',
      '{ settings: { window: null } }',
      '{ lifetime: 5m }',
    ]),
    ['RS16 editions.1.set.cadence.every.setting @ {'],
  ],
  [
    'a gate whose reason an edition removes is named by its id',
    withEditions(['{ reasons: { not-a-member: null } }', '{ lifetime: 5m }']),
    ['RS10 editions.0.set.gates.G1.stop @ {'],
  ],
  [
    'a list of gates in an edition is located by position',
    withEditions(['{ gates: [{ id: G1, summary: A., when: { fact: user.typ, is: member }, stop: not-a-member }] }']),
    ['RS27 editions.0.set.gates.0.when.fact @ user.typ'],
  ],
  [
    'a fault of the base document is not reported for editions, whose own faults are',
    withEditions(['{ lifetime: 0 }', '{ lifetime: 5m }'], { cadence: 'cadence: { kind: fixed, every: 7 }' }),
    ['RS16 cadence.every @ 7', 'RS17 editions.0.set.lifetime @ 0'],
  ],
  [
    'a gate of an edition keeps its fault when another gate is removed before it',
    withEditions([
      '{ gates: { G2: { summary: A., when: { fact: user.type, has: a }, stop: not-a-member } } }',
      '{ gates: { G1: null } }',
    ]),
    ['RS27 editions.0.set.gates.G2.when @ has:'],
  ],
  [
    'editions after one without a valid time are read',
    withEditions(['{ lifetime: 5m }']).replace("'2026-01-01'", 'soon') +
      "  - { from: '2026-02-01', set: { lifetime: 0 } }\n",
    ['RS24 editions.0.from @ soon', 'RS17 editions.1.set.lifetime @ 0'],
  ],
  [
    'editions beside one of another shape are read',
    `${withEditions(['{ lifetime: 0 }'])}  - 7\n  - { set: { failure: 1 } }\n`,
    [
      'RS17 editions.0.set.lifetime @ 0',
      'RS24 editions.1 @ 7',
      'RS24 editions.2.from @ {',
      'RS20 editions.2.set.failure @ 1',
    ],
  ],
  [
    'the other keys of a patch that touches a lasting key are read',
    withEditions(['{ facts: { user: null }, lifetime: 0 }']),
    ['RS32 editions.0.set @ facts:', 'RS17 editions.0.set.lifetime @ 0'],
  ],
];

describe('faults of editions', () => {
  test.each(nonEmpty(cases))('OC57 %s', (_what, text, faults) => {
    expect(listFaults(text)).toEqual(faults);
  });

  const twoGates =
    'gates: [{ id: G1, summary: A., when: { fact: user.type, is: member }, stop: not-a-member }, { id: G2, summary: B., when: { fact: user.facts.level, atLeast: 1 }, stop: no-level }]';
  const reasons = 'reasons: { not-a-member: Only members., no-level: Only levels. }';

  test('RS29 a reason whose last gate an edition removes is in use before it', () => {
    const text = withEditions(['{ gates: { G2: null } }', '{ lifetime: 5m }'], { gates: twoGates, reasons });
    expect(listFaults(text)).toEqual([]);
  });

  test('RS29 a reason that only a later edition uses is in use', () => {
    const later = '{ gates: { G2: { summary: B., when: { fact: user.facts.level, atLeast: 1 }, stop: no-level } } }';
    expect(listFaults(withEditions(['{ lifetime: 5m }', later], { reasons }))).toEqual([]);
  });

  test('RS29 a reason that no edition uses is reported once, where it is written', () => {
    const text = withEditions(['{ reasons: { other: Never. } }', '{ lifetime: 5m }'], {
      reasons: 'reasons: { not-a-member: Only members., unused: Never. }',
    });
    expect(listFaults(text)).toEqual(['RS29 reasons.unused @ Never.', 'RS29 editions.0.set.reasons.other @ Never.']);
  });

  test('RS18 an impossible date is the only fault of a deadline that opens before it', () => {
    const deadline = "deadline: { ends: [{ at: '2026-02-30' }], opens: 30d }";
    const { faults } = checkOwnText(parseRulesetText('a.ruleset.yaml', rulesetText({ deadline })));
    expect(faults.map(formatFault)).toEqual([
      expect.stringContaining('RS18 a.ruleset.yaml:10:26 deadline.ends.0.at: "2026-02-30" is no instant'),
    ]);
  });

  test('RS31 opens is compared with the ends only if all of them could be read', () => {
    const ends = (list: string): string => `deadline: { ends: [${list}], opens: 30d }`;
    const codes = (deadline: string): readonly string[] =>
      listFaults(rulesetText({ deadline })).map((one) => one.slice(0, 4));
    expect(codes(ends('{ after: 7d, since: created }'))).toEqual(['RS31']);
    expect(codes(ends('{ after: 7d, since: created }, { after: 60, since: created }'))).toEqual(['RS18']);
  });
});
