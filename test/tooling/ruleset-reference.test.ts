import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readOwnText } from '../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../src/scenario/rulesets/ruleset-text.ts';
import { rulesetDefaults } from '../../tooling/ruleset-defaults.ts';
import { listRulesetKeys } from '../../tooling/ruleset-reference.ts';
import { nonEmpty } from '../non-empty.ts';

/** A ruleset with all keys whose defaults are constants, each with its default, and with all keys that are needed. */
const whole = `
ruleset: whole
version: 1.0.0
format: 1
title: Whole
base: own
methods: { passkey: { label: passkey, kind: passkey } }
ask: passkey
settings: { count: { type: integer, min: 0, max: 9, default: 3 }, word: { type: enum, values: [a], default: a } }
facts:
  tenant: { a: { type: integer, min: 0, max: 9, default: 3 }, b: { type: set, values: [a], default: [] } }
  user: { a: { type: integer, min: 0, max: 9, default: 3 }, b: { type: set, values: [a], default: [] } }
  attempt: { a: { type: integer, min: 0, max: 9, default: 3 }, b: { type: set, values: [a], default: [] } }
trigger: { on: [signIn] }
gates: [{ id: G1, summary: A., when: { fact: user.type, is: member }, stop: no }]
reasons: { no: No. }
answers:
  skip: { label: Skip for now, effect: snooze, counts: true, whenRequired: refused }
  close: { effect: snooze }
  expire: { effect: snooze }
  next: { effect: nothing }
ledger: { keys: [[user]] }
cadence: { kind: everySignIn, anchor: answer, boundary: inclusive, measure: elapsed, zone: UTC }
limit: { of: 3, counts: snoozes, then: required, after: wait }
lifetime: 15m
deadline:
  ends: [{ at: '2026-05-01' }, { after: 30d, since: created }]
  choose: earliest
  before: skippable
  then: required
  boundary: inclusive
  measure: elapsed
  zone: UTC
failure: { skip: signsIn, stores: nothing }
resets: [{ on: registered, clears: [count] }]
rollout: { percent: 100, by: user, salt: whole, variants: [{ id: a, share: 1, settings: {} }] }
editions: [{ from: '2026-05-01', id: '2026-05-01', set: { lifetime: 5m } }]
`;

type Path = readonly (string | number)[];

/** Lists the paths of all keys of a value. */
function listPaths(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((part, index) => listPaths(part, [...path, index]));
  return Object.entries(value).flatMap(([key, part]) => [[...path, key], ...listPaths(part, [...path, key])]);
}

/** Returns the path of a key in the reference, where names of one's own choice are `NAME`. */
function inReference(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
    .slice(1)
    .replace(/^(methods|settings|answers|facts\.[a-z]+)\.[a-z]+/, '$1.NAME');
}

function read(data: unknown): ReturnType<typeof readOwnText> {
  return readOwnText(parseRulesetText('whole.ruleset.yaml', JSON.stringify(data)));
}

function without(path: Path): unknown {
  const data: unknown = parse(whole);
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[String(key)], data);
  delete (holder as Record<string, unknown>)[String(path.at(-1))];
  return data;
}

const described = listRulesetKeys().map((key) => ({ ...key, text: rulesetDefaults[key.path] }));
const keys = listPaths(parse(whole)).flatMap((path) => {
  const key = described.find((one) => one.path === inReference(path));
  return key === undefined ? [] : [{ ...key, name: path.join('.'), keys: path }];
});
const isNeeded = ({ text, needed }: { readonly text: string | undefined; readonly needed: boolean }): boolean =>
  text === undefined ? needed : text.startsWith('needed');

describe('reference of ruleset files', () => {
  test('every key is needed or has an entry, and every entry is that of a key', () => {
    expect(described.filter(({ text, needed }) => text === undefined && !needed).map(({ path }) => path)).toEqual([]);
    const paths = described.map(({ path }) => path);
    expect(Object.keys(rulesetDefaults).filter((path) => !paths.includes(path))).toEqual([]);
    expect(read(parse(whole)).faults).toEqual([]);
  });

  test.each(nonEmpty(keys.filter(isNeeded)))(
    '$name is needed: without it, the ruleset has a fault',
    ({ keys: path }) => {
      expect(read(without(path)).ruleset).toBeNull();
    },
  );

  const constants = keys.filter(({ text }) => text?.startsWith('`') === true);
  test.each(nonEmpty(constants))(
    '$name has the default $text: without it, the rules are the same',
    ({ keys: path }) => {
      const { ruleset } = read(without(path));
      expect(ruleset).not.toBeNull();
      expect({ ...ruleset, digest: null }).toEqual({ ...read(parse(whole)).ruleset, digest: null });
    },
  );
});
