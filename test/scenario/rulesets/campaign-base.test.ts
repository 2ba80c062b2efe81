import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../machines/evaluate.ts';
import type { Facts, Ruleset, TenantFacts, UserFacts } from '../../../machines/vocabulary.ts';
import { completeFacts } from '../../../src/contract/attempt-facts.ts';
import { factsSchema } from '../../../src/contract/facts.schema.ts';
import { readAnyFile } from '../../../src/scenario/rulesets/read-ruleset-file.ts';
import { nonEmpty } from '../../non-empty.ts';

const head = `ruleset: ours
version: 1.0.0
format: 1
title: Ours
`;

/** Reads files that are beside each other; the last one is the ruleset. */
function read(...texts: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-base-'));
  let path = '';
  for (const [index, text] of texts.entries()) {
    path = join(folder, index === texts.length - 1 ? 'ours.ruleset.yaml' : `part-${index}.ruleset.yaml`);
    writeFileSync(path, text);
  }
  return readAnyFile(path, 'ours.ruleset.yaml');
}

function readRules(...texts: readonly string[]): Ruleset {
  const result = read(...texts);
  expect(result.faults.filter(({ severity }) => severity === 'fault')).toEqual([]);
  if (result.read?.base !== 'registration-campaign') throw new RangeError('The base is another one.');
  return result.read.ruleset.rules;
}

interface Given {
  readonly tenant?: Partial<TenantFacts>;
  readonly user?: Partial<UserFacts>;
  readonly attempt?: Readonly<Record<string, unknown>>;
}

const everyone = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' } as const;

function facts({ tenant = {}, user = {}, attempt = {} }: Given = {}): Facts {
  const campaign = {
    state: 'enabled' as const,
    snoozeDurationInDays: 2,
    enforceRegistrationAfterAllowedSnoozes: true,
    includeTargets: [everyone],
    excludeTargets: [],
  };
  const parsed = factsSchema.parse({ tenant: { campaign, ...tenant }, user: { id: 'ada', ...user }, attempt });
  return completeFacts(parsed).facts;
}

const outcome = (rules: Ruleset, given: Given = {}) => {
  const verdict = evaluate(facts(given), rules);
  return [verdict.outcome, verdict.reason];
};

describe('OC18: base registration-campaign', () => {
  test('without further keys, it has the rules of seed', () => {
    const rules = readRules(`${head}base: registration-campaign\n`);
    expect(outcome(rules)).toEqual(['skippable', null]);
    expect(outcome(rules, { attempt: { ssoSession: true } })).toEqual(['none', 'sso-session']);
    expect(rules.extension).toBeUndefined();
  });

  const gated = readRules(`${head}base: seed
facts:
  tenant: { pilot: { type: boolean, default: false } }
  user: { office: { type: enum, values: [berlin, oslo], default: berlin } }
  attempt: { kiosk: { type: boolean, default: false } }
gates:
  P1:
    after: C1
    summary: The office takes part.
    when: { any: [{ fact: user.facts.office, is: oslo }, { fact: tenant.facts.pilot, is: true }] }
    stop: office-not-in-pilot
    appliesTo: vendorAuthenticator
  R13.1: { skipIf: { fact: attempt.facts.kiosk, is: true } }
reasons: { office-not-in-pilot: 'The office {saw.office} does not take part.' }
`);

  test('a data gate stands after the built-in gate that it names, and stops with its own reason', () => {
    const verdict = evaluate(facts(), gated);
    expect(verdict.rules.slice(0, 3).map(({ id }) => id)).toEqual(['C1', 'P1', 'S1']);
    expect(verdict).toMatchObject({ ruleset: 'ours', outcome: 'none', reason: 'office-not-in-pilot' });
    expect(verdict.rules[1]?.saw).toEqual({ office: 'berlin', pilot: false });
  });

  test.for([
    [{ user: { facts: { office: 'oslo' } } }, ['skippable', null]],
    [{ tenant: { facts: { pilot: true } } }, ['skippable', null]],
    [{ tenant: { facts: { pilot: true } }, attempt: { ssoSession: true } }, ['none', 'sso-session']],
    [
      { tenant: { facts: { pilot: true } }, attempt: { ssoSession: true, facts: { kiosk: true } } },
      ['skippable', null],
    ],
  ] as const)('facts of tenant, user and attempt decide: %j', ([given, expected]) => {
    expect(outcome(gated, given as Given)).toEqual(expected);
  });

  test('a data gate of one method does not apply to a campaign for the other one', () => {
    const includeTargets = [{ ...everyone, targetedAuthenticationMethod: 'fido2' as const }];
    const verdict = evaluate(facts({ tenant: { campaign: { ...facts().tenant.campaign, includeTargets } } }), gated);
    expect(verdict.rules[1]).toMatchObject({ id: 'P1', outcome: 'not-applicable' });
  });

  test('campaign changes the effective campaign where its condition holds', () => {
    const rules = readRules(`${head}base: 2026-09
campaign:
  - { set: { snoozeDays: 7 } }
  - { when: { fact: tenant.subscription, is: paid }, set: { limited: false, method: fido2 } }
`);
    expect(evaluate(facts(), rules).campaign).toEqual({
      state: 'enabled',
      method: 'fido2',
      snoozeDays: 7,
      limited: false,
    });
    expect(evaluate(facts({ tenant: { subscription: 'free' } }), rules).campaign).toEqual({
      state: 'enabled',
      method: 'vendorAuthenticator',
      snoozeDays: 7,
      limited: true,
    });
  });

  const duty = readRules(`${head}base: seed
requirement:
  required: { fact: user.groups, has: staff }
  blocked: { fact: user.groups, has: contractors }
factors: { unusable: [{ when: { fact: user.groups, has: staff }, methods: [sms] }] }
`);
  test.for([
    [[], ['skippable', null]],
    [['staff'], ['required', null]],
    [['contractors'], ['blocked', null]],
    [
      ['staff', 'contractors'],
      ['blocked', null],
    ],
  ] as const)('OC23: groups %j lead to %j', ([groups, expected]) => {
    expect(outcome(duty, { user: { groups: [...groups] } })).toEqual(expected);
  });

  test('a second factor that pages do not offer is a warning', () => {
    const verdict = evaluate(facts({ user: { groups: ['staff'] } }), duty);
    expect(verdict.warnings.map(({ code }) => code)).toEqual(['unusable-factor']);
  });

  test('a cell of the matrix, profiles and providerManaged merge over the base', () => {
    const rules = readRules(`${head}base: seed
matrix: { keychain: { windows-chrome: 1 } }
providerManaged: { snoozeDays: { before: 9 } }
`);
    expect(rules.matrix.keychain).toMatchObject({ 'windows-chrome': true, 'mac-chrome': true, android: false });
    expect(rules.providerManaged.snoozeDays).toEqual({ by: 'switch', before: 9, after: 1 });
  });

  test('OC57: editions are patches over each other, and a clock set back goes back', () => {
    const rules = readRules(`${head}base: seed
editions:
  - from: 2026-03-01
    id: spring
    set: { campaign: [{ set: { snoozeDays: 5 } }] }
  - from: 2026-06-01T12:00:00+02:00
    set: { gates: { S2: null } }
`);
    const at = (instant: string) =>
      evaluate(
        facts({
          tenant: { campaign: { ...facts().tenant.campaign, excludeTargets: [{ targetType: 'user', id: 'ada' }] } },
          attempt: { nowMs: Date.parse(instant) },
        }),
        rules,
      );
    const seen = ['2026-02-28', '2026-03-01', '2026-06-01T09:59:59.999Z', '2026-06-01T10:00:00Z', '2026-02-01'].map(
      (instant) => {
        const { edition, reason, campaign } = at(instant);
        return [edition, reason, campaign.snoozeDays];
      },
    );
    expect(seen).toEqual([
      [null, 'excluded', 2],
      ['spring', 'excluded', 5],
      ['spring', 'excluded', 5],
      ['2026-06-01', null, 5],
      [null, 'excluded', 2],
    ]);
  });

  test.for([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2024-02-29T23:59:59.5Z', '2024-02-29T23:59:59.500Z'],
    ['2000-03-01T00:30+02:00', '2000-02-29T22:30:00.000Z'],
    ['1969-12-31T19:00:00-05:00', '1970-01-01T00:00:00.000Z'],
    ['2100-12-31T12:00:00Z', '2100-12-31T12:00:00.000Z'],
  ] as const)('an instant %s as a fact is compared by its time', ([written, atInstant]) => {
    const rules = readRules(`${head}base: seed
facts: { user: { deadline: { type: instant, default: null } } }
requirement: { required: { fact: user.facts.deadline, atLeastOld: 0 } }
`);
    const at = (nowMs: number) => outcome(rules, { user: { facts: { deadline: written } }, attempt: { nowMs } })[0];
    const ms = Date.parse(atInstant);
    expect([at(Math.max(0, ms - 1)), at(ms)]).toEqual([ms === 0 ? 'required' : 'skippable', 'required']);
    expect(outcome(rules)[0]).toBe('skippable');
  });

  test('durations and settings are values too', () => {
    const rules = readRules(`${head}base: seed
settings: { wait: { type: duration, default: 2d } }
facts: { user: { grace: { type: duration, default: 0 } } }
requirement: { required: { fact: user.facts.grace, above: { setting: wait } } }
`);
    expect(outcome(rules, { user: { facts: { grace: '1d23h' } } })[0]).toBe('skippable');
    expect(outcome(rules, { user: { facts: { grace: '2d1ms' } } })[0]).toBe('required');
    expect(outcome(rules, { user: { facts: { grace: '1d23h' } }, tenant: { settings: { wait: '1d' } } })[0]).toBe(
      'required',
    );
  });

  test('the id of a file of the same folder is a base, whose digest counts', () => {
    const base = (days: number) =>
      `${head.replace('ours', 'theirs')}base: seed\ncampaign: [{ set: { snoozeDays: ${days} } }]\n`;
    const file = `${head}base: theirs\nrequirement: { required: { fact: user.type, is: guest } }\n`;
    const rules = readRules(base(4), file);
    expect(evaluate(facts(), rules).campaign.snoozeDays).toBe(4);
    expect(outcome(rules, { user: { type: 'guest' } })).toEqual(['required', null]);
    const digests = [4, 5].map((days) => {
      const result = read(base(days), file);
      return result.read?.ruleset.digest;
    });
    expect(new Set(digests).size).toBe(2);
  });

  test('a ruleset with the base own can be a base too', () => {
    const own = `${head.replace('ours', 'theirs')}methods: { passkey: { label: passkey, kind: passkey } }
gates: []
cadence: { kind: fixed, every: 7d }
`;
    const result = read(own, `${head}base: theirs\ncadence: { every: 9d }\n`);
    expect(result.faults).toEqual([]);
    expect(result.read?.base).toBe('own');
    if (result.read?.base !== 'own') return;
    expect(result.read.ruleset.first.cadence).toMatchObject({
      kind: 'fixed',
      durations: [{ constant: { ms: 9 * 86_400_000, months: 0 } }],
    });
  });
});

describe('OC68: faults of files with these bases', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['RS04 5:7', 'base: sead', 'not one of'],
    ['RS04 5:7', 'base: ours', 'cycle'],
    ['RS04 5:7', 'base: 7', 'not a base'],
    ['RS04 6:1', 'base: seed\ncadence: { kind: once }', 'needs the base own'],
    ['RS04 6:1', 'base: own\ncampaign: []', 'needs the base registration-campaign'],
    [
      'RS04 6:20',
      'base: seed\ncampaign: [{ when: { fact: user.type, is: guest }, set: { limited: true } }]',
      'facts of the tenant',
    ],
    ['RS04 6:33', 'base: seed\ncampaign: [{ set: { snoozeDays: 99 } }]', ''],
    ['RS04 6:11', 'base: seed\nprofiles: something', ''],
    ['RS04 6:16', 'base: seed\nlimits: { day: 1 }', ''],
    ['RS04 6:16', 'base: seed\nlimits: { day: 1mo }', 'elapsed time'],
    [
      'RS07 7:81',
      'base: seed\nfacts:\n  user: { a: { type: enum, values: [x], default: x }, b: { type: text, default: { fact: user.type, is: guest } } }',
      'only a boolean',
    ],
    ['RS08 6:40', 'base: seed\nfactors: { unusable: [{ methods: [sms, fax] }] }', ''],
    ['RS09 6:22', 'base: seed\ngates: { R99: { use: R99, after: C1 } }', ''],
    ['RS12 6:11', 'base: seed\nmatrix: { keychains: { ios: 1 } }', 'keychain'],
    ['RS12 6:23', 'base: seed\nmatrix: { keychain: { iphone: 1 } }', ''],
    ['RS19 6:26', 'base: seed\nrequirement: { required: yes }', ''],
    ['RS24 6:10', 'base: seed\ngates: { R99: null }', 'no gate has the id'],
    [
      'RS26 6:15',
      'base: registration-campaign\ngates: [{ id: S1, summary: a, when: { fact: user.type, is: guest }, stop: x }]',
      'built-in gate',
    ],
    ['RS27 6:34', 'base: seed\nrequirement: { required: { fact: user.tpye, is: guest } }', 'user.type'],
    [
      'RS27 6:26',
      'base: seed\nrequirement: { required: { signIns: { within: 1d }, atLeast: 2 } }',
      'sign-ins are counted',
    ],
    ['RS27 6:34', 'base: seed\nrequirement: { required: { fact: kept.shown, atLeast: 2 } }', 'no fact has the path'],
    [
      'RS32 8:12',
      'base: seed\neditions:\n  - from: 2026-01-01\n    set: { limits: { snoozeLimit: 2 } }',
      'open prompts',
    ],
    ['RS32 8:12', 'base: seed\neditions:\n  - from: 2026-01-01\n    set: { facts: {} }', 'cannot change facts'],
    [
      'RS32 9:11',
      'base: seed\neditions:\n  - from: 2026-01-02\n    set: {}\n  - from: 2026-01-01\n    set: {}',
      'not later',
    ],
    ['RS24 7:11', 'base: seed\neditions:\n  - from: never\n    set: {}', 'no instant'],
    [
      'RS10 6:72',
      'base: seed\ngates: { P1: { summary: a, when: { fact: user.type, is: guest }, stop: x } }',
      'no reason has the code',
    ],
  ];

  test.for(nonEmpty(cases))('%s: %s', ([expected, body, words]) => {
    const { faults } = read(`${head}${body}\n`);
    const shown = faults.map(({ code, location }) => `${code} ${location.replace('ours.ruleset.yaml:', '')}`);
    expect(shown).toContain(expected);
    expect(faults.map(({ message }) => message).join('\n')).toContain(words);
  });

  test.for(['seed', '2026-09', 'announced'])('RS01: a file cannot have the id %s', (id) => {
    const { faults } = read(`${head.replace('ours', id)}base: registration-campaign\n`);
    expect(faults.map(({ code }) => code)).toEqual(['RS01']);
  });

  test('RS04: two files that are bases of each other', () => {
    const { faults } = read(`${head.replace('ours', 'theirs')}base: ours\n`, `${head}base: theirs\n`);
    expect(faults).toMatchObject([{ code: 'RS04', message: expect.stringContaining('ours → theirs → ours') }]);
  });

  test('RS04: a base with faults in its text', () => {
    const { faults } = read('ruleset: theirs\nbase: seed\nbase: seed\n', `${head}base: theirs\n`);
    expect(faults.map(({ code }) => code)).toEqual(['RS04']);
  });
});
