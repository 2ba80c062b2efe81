import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkOwnText } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { checkAnyFile } from '../../../src/scenario/rulesets/read-ruleset-file.ts';
import { formatFault } from '../../../src/scenario/rulesets/ruleset-fault.ts';
import { parseRulesetText } from '../../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from './ruleset-text.ts';

/** Checks a ruleset with other ruleset files beside it, by their names. */
function check(text: string, beside: Readonly<Record<string, string>>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-bases-'));
  for (const [name, content] of Object.entries({ ...beside, 'a.ruleset.yaml': text })) {
    writeFileSync(join(folder, name), content);
  }
  return checkAnyFile(join(folder, 'a.ruleset.yaml'), 'a.ruleset.yaml').faults.map(formatFault);
}

const campaign = rulesetText({ ruleset: 'ruleset: common' });

describe('bases of ruleset files', () => {
  test.each([
    ['./common.ruleset.yaml', '; did you mean "common"?'],
    ['../rules/common.ruleset.json', '; did you mean "common"?'],
    ['comon.ruleset.yml', '; did you mean "common"?'],
    ['rules\\other', ''],
  ])('RS04 the path %s is reported with the ids that are known', (path, meant) => {
    const faults = check(rulesetText({ base: `base: '${path}'` }), { 'c.ruleset.yaml': campaign });
    const ids = 'own, registration-campaign, seed, 2026-09, announced, common';
    expect(faults).toEqual([
      `RS04 a.ruleset.yaml:10:7 base: ${JSON.stringify(path)} is a path, and base takes the id of a ruleset, which is one of ${ids}${meant}`,
    ]);
  });

  test('RS04 an unknown id is reported with the ids of the same folder', () => {
    const faults = check(rulesetText({ base: 'base: comon' }), { 'c.ruleset.yaml': campaign });
    expect(faults).toEqual([
      'RS04 a.ruleset.yaml:10:7 base: "comon" is not one of own, registration-campaign, seed, 2026-09, announced, common; did you mean "common"?',
    ]);
  });

  test.each([
    ['a refused key', `${campaign}constructor: 1\n`],
    ['a fault of a value', `${campaign}lifetime: 0\n`],
    ['a fault of an edition', `${campaign}editions: [{ from: '2026-01-01', set: { lifetime: 0 } }]\n`],
  ])('RS04 a base with %s is not used', (_what, base) => {
    const faults = check(rulesetText({ base: 'base: common' }), { 'c.ruleset.yaml': base });
    expect(faults).toEqual(['RS04 a.ruleset.yaml:10:7 base: the ruleset "common" has faults; correct it first']);
  });
});

const changing = (keys: string): string =>
  `ruleset: ours\nversion: 1.0.0\nformat: 1\ntitle: Ours\nbase: common\n${keys}\n`;

describe('changes of a base', () => {
  test('RS16 what the file causes in an inherited key is located at base', () => {
    const base = `${campaign}cadence: { kind: fixed, every: { setting: window } }\n`;
    expect(check(changing('settings: { window: null }'), { 'c.ruleset.yaml': base })).toEqual([
      'RS16 a.ruleset.yaml:5:7 cadence.every.setting: no setting has the name "window"; declare it under settings',
    ]);
  });

  test.each([
    [
      'RS28',
      'gates.G1.when',
      { gates: 'gates: [{ id: G1, summary: A., when: { fact: user.type, in: [] }, stop: not-a-member }]' },
    ],
    [
      'RS29',
      'requirement.required',
      { requirement: 'requirement: { required: { fact: user.facts.level, above: 9 } }' },
    ],
  ])('%s what an inherited %s means is located at base', (code, path, changes) => {
    const done = 'done: { fact: user.passkeys, size: { atLeast: 1 } }';
    const base = rulesetText({ ruleset: 'ruleset: common', done, ...changes });
    const [fault, ...others] = check(changing('lifetime: 5m'), { 'c.ruleset.yaml': base });
    expect(fault).toMatch(new RegExp(`^${code} a\\.ruleset\\.yaml:5:7 (?:warning: )?${path}: `));
    expect(others).toEqual([]);
  });

  test('RS05 a needed key that the file removes is reported there', () => {
    expect(check(changing('methods: null'), { 'c.ruleset.yaml': campaign })).toEqual([
      'RS05 a.ruleset.yaml:6:10 methods: the key methods is needed; write a value, or leave it out',
    ]);
  });

  test.each([
    ['RS04', 'profiles'],
    ['RS04', 'providerManaged'],
    ['RS04', 'limits'],
    ['RS12', 'matrix'],
  ])('%s the key %s of a registration campaign cannot be removed', (code, key) => {
    const text = changing(`${key}: null`).replace('common', 'seed');
    const message = `${key}: the key ${key} is needed; write a value, or leave it out`;
    expect(check(text, {})).toEqual([`${code} a.ruleset.yaml:6:${key.length + 3} ${message}`]);
  });

  test('RS04 an edition of a registration campaign cannot remove its profiles', () => {
    const text = changing("editions: [{ from: '2026-01-01', set: { profiles: null } }]").replace('common', 'seed');
    expect(check(text, {})).toEqual([
      'RS04 a.ruleset.yaml:6:51 editions.0.set.profiles: the key profiles is needed; write a value, or leave it out',
    ]);
  });
});

describe('refused keys of ruleset files', () => {
  test.each(nonEmpty(['__proto__', 'constructor', 'prototype']))(
    'OC16 the key %s is reported beside all other faults, and never assigned',
    (key) => {
      const cadence = `cadence: { kind: fixed, every: 7, ${key}: { every: 7d } }`;
      const text = rulesetText({ cadence, [key]: `${key}: { lifetime: 5m }`, lifetime: 'lifetime: 0' });
      const parsed = parseRulesetText('a.ruleset.yaml', text);
      expect(checkOwnText(parsed).faults.map((fault) => formatFault(fault).split(';')[0])).toEqual([
        'RS16 a.ruleset.yaml:10:32 cadence.every: 7 is no duration',
        `RS01 a.ruleset.yaml:10:35 the key "${key}" is not allowed`,
        `RS01 a.ruleset.yaml:11:1 the key "${key}" is not allowed`,
        'RS17 a.ruleset.yaml:12:11 lifetime: 0 is no duration in elapsed units above 0, such as 15m',
      ]);
      expect(Object.keys(parsed.data?.['cadence'] ?? {})).toEqual(['kind', 'every']);
      expect(Object.getPrototypeOf(parsed.data?.['cadence'])).toBe(Object.prototype);
    },
  );

  test('OC16 a merge key is reported beside all other faults', () => {
    const text = rulesetText({ cadence: 'cadence: { <<: { kind: once }, kind: daily, every: 1d }' });
    const { faults } = checkOwnText(parseRulesetText('a.ruleset.yaml', text));
    expect(faults.map(({ code }) => code)).toEqual(['RS01', 'RS16']);
  });
});
