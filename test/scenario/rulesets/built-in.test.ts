import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builtInFiles, builtInRulesets } from '../../../machines/rulesets/built-in.ts';
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { findBuiltInFile } from '../../../src/scenario/rulesets/built-in-text.ts';
import { readBuiltInRuleset } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { nonEmpty } from '../../non-empty.ts';

describe.for(nonEmpty(rulesetIds))('Built-in ruleset %s', (id) => {
  const file = readBuiltInRuleset(id);

  test('OC55: the module has the rules of the file', () => {
    expect(builtInRulesets.find((ruleset) => ruleset.id === id)).toStrictEqual(file.rules);
  });

  test('OC55: the module has version, title and digest of the file', () => {
    const { version, title, digest } = file;
    expect(builtInFiles.find((one) => one.id === id)).toStrictEqual({ id, version, title, digest });
  });
});

test('OC55: the module contains each built-in ruleset once, in the order of the ids', () => {
  expect(builtInRulesets.map(({ id }) => id)).toEqual(rulesetIds);
  expect(builtInFiles.map(({ id }) => id)).toEqual(rulesetIds);
});

test('OC55: 2026-09 states only its differences from seed, and merges over it', () => {
  const written = readFileSync(findBuiltInFile('2026-09'), 'utf8');
  expect(written).not.toContain('keychain');
  const [seed, later] = ['seed', '2026-09'].map((id) => readBuiltInRuleset(id).rules);
  expect(later?.matrix.keychain).toEqual(seed?.matrix.keychain);
  expect(later?.order).toEqual(seed?.order.flatMap((id) => (id === 'R3' ? ['R3', 'M1'] : [id])));
  expect(later?.providerManaged.snoozeDays).toEqual({ by: 'method', vendorAuthenticator: 1, fido2: 1 });
});
