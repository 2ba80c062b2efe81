import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { computeSha256 } from '../../site/playground/digest.ts';
import { listValueProblems, noValues, readGiven, withValue } from '../../site/playground/given-values.ts';
import { createLink, readLink } from '../../site/playground/link.ts';
import { checkRuleset, findOffset, findPosition, getBuiltIn, writtenRuleset } from '../../site/playground/rulesets.ts';
import {
  type Action,
  fromFragment,
  initialSettings,
  type Settings,
  toFragment,
} from '../../site/playground/settings.ts';
import { createView } from '../../site/playground/view.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../src/scenario/load.ts';
import { checkAnyFile } from '../../src/scenario/rulesets/read-ruleset-file.ts';
import { runSuite } from '../../src/scenario/run-suite.ts';
import { nonEmpty } from '../non-empty.ts';

const options = { workers: 1, bail: false, repeat: 1, coverage: false };
const exampleIds = [
  'passkey-week',
  'passkey-by-ecosystem',
  'passkey-90-days',
  'second-factor-deadline',
  'pilot-offices',
] as const;
const examples: ReadonlyMap<string, string> = new Map(
  exampleIds.map((id) => [id, readFileSync(`rulesets/${id}.ruleset.yaml`, 'utf8')]),
);

function exampleText(id: (typeof exampleIds)[number]): string {
  return examples.get(id) ?? '';
}

function readExample(text: string) {
  const { ruleset, faults } = checkRuleset(text, examples);
  if (ruleset === null) throw new Error(`The example has faults: ${JSON.stringify(faults)}`);
  return ruleset;
}

/** Runs a scenario beside its ruleset as `nudgelab run` does, and returns the status of each. */
async function runSaved(id: string, text: string | null, scenario: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-playground-'));
  if (text !== null) writeFileSync(join(folder, `${id}.ruleset.yaml`), text);
  writeFileSync(join(folder, 'playground.yaml'), scenario);
  const { scenarios, problems } = loadScenarios([join(folder, 'playground.yaml')], new FixtureLibrary([]), folder);
  expect(problems).toEqual([]);
  const { results } = await runSuite(nonEmpty(scenarios), [new ModelDriver()], options);
  return results.map(({ status, steps }) =>
    status === 'passed' ? status : `${status}: ${JSON.stringify(steps.flatMap(({ mismatches }) => mismatches))}`,
  );
}

describe('rulesets of the playground', () => {
  const timelines: readonly (readonly [(typeof exampleIds)[number], Partial<Settings>, readonly string[]])[] = [
    [
      'passkey-week',
      { actions: ['sign-in', 'answer-skip', 'same-session', 'sign-in', 'month', 'sign-in', 'fail', 'skip-error'] },
      ['The user has turned the prompt down in this session', 'The prompt is snoozed', 'page error-screen'],
    ],
    [
      'passkey-by-ecosystem',
      { os: 'ios', actions: ['sign-in', 'answer-skip', 'month', 'sign-in', 'clear', 'sign-in'] },
      ['The user has turned the prompt down for good'],
    ],
    [
      'passkey-90-days',
      { actions: ['sign-in', 'answer-notNow', 'month', 'month', 'sign-in', 'month', 'sign-in', 'register', 'sign-in'] },
      ['The prompt is snoozed', 'State registered', 'The user has already done'],
    ],
    [
      'second-factor-deadline',
      {
        factor: 'none',
        given: { ...noValues, settings: { graceOn: true }, tenant: { graceEndsAt: '2026-01-20T00:00:00Z' } },
        actions: ['sign-in', 'close', 'sign-in', 'month', 'sign-in'],
      },
      ['Prompted; registration required', 'Blocked: the sign-in ends'],
    ],
    [
      'pilot-offices',
      {
        start: '2026-05-20',
        given: withValue(noValues, 'user', 'office', 'oslo'),
        actions: ['sign-in', 'skip', 'day', 'sign-in', 'day', 'day', 'day', 'day', 'day', 'day', 'sign-in'],
      },
      ['Prompted; may skip', 'Snoozed'],
    ],
  ];

  it.for(timelines)(
    'OC46: a timeline of %s has the words of its ruleset, and its saved scenario passes',
    async ([id, chosen, parts]) => {
      const settings: Settings = { ...initialSettings, ruleset: id, ...chosen };
      const view = await createView(settings, readExample(exampleText(id)));
      const results = view.steps.map(({ result }) => result);
      for (const part of nonEmpty(parts)) expect(results.join('\n').toLowerCase()).toContain(part.toLowerCase());
      expect(results.filter((result) => result.startsWith('Not possible'))).toEqual([]);
      expect(await runSaved(id, exampleText(id), view.scenario)).toEqual(['passed']);
    },
  );

  it('OC47: the reason of a gate is the sentence of the ruleset with its evaluated value', async () => {
    const given = withValue(noValues, 'attempt', 'client', 'denied-client');
    const { verdict } = await createView({ ...initialSettings, given }, readExample(exampleText('passkey-week')));
    expect(verdict?.headline).toBe('Not prompted: the client denied-client does not prompt.');
    expect(verdict?.rules.find(({ id }) => id === 'W7')?.sentence).toBe('The client denied-client does not prompt.');
  });

  it('OC47: a sign-in without a prompt says when and under which other facts there would be one', async () => {
    const ruleset = readExample(exampleText('passkey-week'));
    const lines = async (settings: Partial<Settings>) => {
      const { verdict } = await createView({ ...initialSettings, ...settings }, ruleset);
      return verdict?.otherwise;
    };
    expect(await lines({ actions: ['sign-in', 'answer-skip', 'day', 'sign-in'] })).toContain(
      'Prompted from 2026-01-12T09:00:00.000Z on, if only the time changes.',
    );
    expect(await lines({ given: withValue(noValues, 'user', 'activePasskey', 'yes') })).toEqual(
      expect.arrayContaining(['Prompted if user.facts.activePasskey is no.']),
    );
    expect(await lines({ actions: ['sign-in', 'month', 'sign-in'] })).toEqual([]);
  });

  it('OC59: the announced changes are in force from their date on, and the scenario names ruleset and clock', async () => {
    const settings: Settings = { ...initialSettings, ruleset: 'announced', start: '2027-03-01' };
    const ruleset = getBuiltIn('announced');
    const { verdict, scenario } = await createView(settings, ruleset);
    expect(verdict?.details).toEqual([expect.stringMatching(/^The edition .*2027-02-01.* is in force\.$/)]);
    expect(scenario).toContain('ruleset: announced\nclock: 2027-03-01T09:00:00.000Z');
    expect(await runSaved('announced', null, scenario)).toEqual(['passed']);
    const before = await createView({ ...settings, start: '2026-08-01' }, ruleset);
    expect(before.verdict?.details).toEqual([]);
  });

  it('OC24: the buttons of a prompt are the answers of the ruleset, and only its page has them', async () => {
    const ruleset = readExample(exampleText('passkey-90-days'));
    const labels = async (actions: readonly Action[]) => {
      const view = await createView({ ...initialSettings, actions }, ruleset);
      return view.actions.filter(({ isPossible }) => isPossible).map(({ label }) => label);
    };
    const always = ['Sign in', 'Sign in, same session', '+1 hour', '+1 day', '+30 days'];
    expect(await labels([])).toEqual(always);
    expect(await labels(['sign-in'])).toEqual(expect.arrayContaining(['Not now', 'Close browser', 'Register']));
    expect(await labels(['sign-in', 'answer-notNow'])).not.toContain('Not now');
    expect(await labels(['sign-in', 'fail'])).toContain('Skip the error');
  });

  it('OC24: an answer that the ruleset does not have is not possible', async () => {
    const settings: Settings = { ...initialSettings, actions: ['sign-in', 'answer-later'] };
    const { steps, scenario } = await createView(settings, readExample(exampleText('passkey-90-days')));
    expect(steps.at(-1)?.result).toMatch(/^Not possible: The answer "later"/);
    expect(scenario).not.toContain('later');
  });
});

describe('faults of a ruleset in the playground', () => {
  it.for([
    ['a duration without unit', 'every: { setting: window }', 'every: 7', 'RS16'],
    ['an unknown reason', 'stop: feature-off', 'stop: feature-of', 'RS10'],
    ['a gate that always stops', '{ fact: attempt.mfa.completed, is: true }', '{ any: [] }', 'RS28'],
    ['broken YAML', 'trigger: { on: [signIn]', 'trigger: { on: [signIn', 'RS01'],
  ] as const)('OC16: %s has the fault, line and column of the check', ([, before, after, code]) => {
    const text = exampleText('passkey-week').replace(before, after);
    const folder = mkdtempSync(join(tmpdir(), 'nudgelab-playground-'));
    const path = join(folder, 'a.ruleset.yaml');
    writeFileSync(path, text);
    const { ruleset, faults } = checkRuleset(text, examples);
    expect(ruleset).toBeNull();
    expect(faults.map((fault) => fault.code)).toContain(code);
    const checked = checkAnyFile(path, 'playground.ruleset.yaml', 'skip');
    expect(faults).toEqual(checked.faults);
  });

  it('RS34: a gate module is refused with what to do instead', () => {
    const text = readFileSync('rulesets/agency-addresses.ruleset.yaml', 'utf8');
    const { ruleset, faults } = checkRuleset(text, examples);
    expect(ruleset).toBeNull();
    const line = text.split('\n').findIndex((one) => one.includes('module: ')) + 1;
    expect(faults.map((fault) => [fault.code, findPosition(fault).line, fault.message])).toEqual([
      ['RS34', line, expect.stringContaining('the playground runs no gate modules')],
    ]);
  });

  it('RS01: a built-in id is taken, and a text that is no mapping says how to begin', () => {
    const [taken] = checkRuleset(readFileSync('machines/rulesets/2026-09.ruleset.yaml', 'utf8'), examples).faults;
    expect(taken?.message).toContain('is the id of a built-in ruleset');
    const [none] = checkRuleset('- a', examples).faults;
    expect(none?.message).toContain('begin with ruleset: and an id');
  });

  it('RS04: a ruleset can have an example as its base, and no other one', () => {
    const text = (base: string) => `ruleset: mine\nversion: 1.0.0\nformat: 1\ntitle: Mine\nbase: ${base}\n`;
    expect(checkRuleset(text('passkey-week'), examples).ruleset?.own?.id).toBe('mine');
    expect(checkRuleset(text('elsewhere'), examples).faults.map(({ code }) => code)).toEqual(['RS04']);
  });

  it('OC16: the position of a fault is that of the cursor', () => {
    const text = 'first\nsecond\nthird';
    expect(text.slice(findOffset(text, { line: 2, column: 4 }))).toBe('ond\nthird');
    expect(findOffset(text, { line: 9, column: 1 })).toBe(text.length);
  });

  it('OC35: texts with a different digest are different', () => {
    expect(computeSha256('a')).toBe('af63dc4c8601ec8c');
    expect(computeSha256('ab')).not.toBe(computeSha256('ba'));
  });
});

describe('values of facts and settings in the playground', () => {
  it('OC19: values of another type, outside the range or undeclared are problems with their places', () => {
    const ruleset = readExample(exampleText('passkey-week'));
    const given = {
      settings: { percent: 101, window: '7' },
      tenant: { other: true },
      user: { activePasskey: 'maybe', accountCreatedAt: 'yesterday' },
      attempt: { canMakePasskeys: false },
    };
    expect(listValueProblems(given, ruleset).map(({ location }) => location)).toEqual([
      'tenant.settings.percent',
      'tenant.settings.window',
      'tenant.facts',
      'user.facts.activePasskey',
      'user.facts.accountCreatedAt',
    ]);
    expect(listValueProblems(noValues, ruleset)).toEqual([]);
  });

  it.for(['{', '[]', '7', `{"user":${'['.repeat(30_000)}`, '{"user":{"a":{"b":1}}}'])(
    '084: the values %.20s of an address are ignored',
    (text) => {
      expect(readGiven(text)).toEqual(noValues);
    },
  );

  it('084: values, first day, kind and answers survive the address', () => {
    const settings: Settings = {
      ...initialSettings,
      ruleset: 'passkey-week',
      start: '2026-02-28',
      factor: 'none',
      kind: 'signUp',
      given: withValue(withValue(noValues, 'settings', 'window', '5m'), 'user', 'passkeysOn', ['apple']),
      actions: ['sign-in', 'answer-notNow', 'same-session', 'fail', 'skip-error', 'clear', 'month'],
    };
    expect(fromFragment(toFragment(settings), exampleIds)).toEqual(settings);
    expect(fromFragment('ruleset=passkey-week&start=2026-02-30&kind=x&actions=answer-.answer-a b.sign-in')).toEqual({
      ...initialSettings,
      actions: ['sign-in'],
    });
    expect(withValue(settings.given, 'settings', 'window', undefined).settings).toEqual({});
  });
});

describe('links of the playground', () => {
  const written: Settings = { ...initialSettings, ruleset: writtenRuleset, text: exampleText('passkey-week') };

  it('084: a link contains the text of a written ruleset, compressed', async () => {
    const { fragment, isComplete } = await createLink(written);
    expect([isComplete, fragment.length < written.text.length]).toEqual([true, true]);
    expect(await readLink(fragment, exampleIds)).toEqual({ settings: written, isReadable: true });
    const faulty = { ...written, text: 'ruleset: ü“' };
    expect((await readLink((await createLink(faulty)).fragment, [])).settings).toEqual(faulty);
  });

  it('084: a link to an example has its id and no text', async () => {
    const { fragment } = await createLink({ ...initialSettings, ruleset: 'passkey-week' });
    expect(fragment).not.toContain('text=');
    expect((await readLink(fragment, exampleIds)).settings.ruleset).toBe('passkey-week');
  });

  it.for(['!', 'AAAA', 'S0ktLgEA_', 'a'.repeat(70_000)])('084: a broken text %.20s is reported', async (packed) => {
    const { settings, isReadable } = await readLink(`ruleset=yaml&text=${packed}`, exampleIds);
    expect([settings.ruleset, settings.text, isReadable]).toEqual(['yaml', '', false]);
  });

  it('084: a short link with a text beyond the limit of a ruleset is not unpacked', async () => {
    const { fragment, isComplete } = await createLink({ ...written, text: '#'.repeat(300_000) });
    expect([isComplete, fragment.length < 2_000]).toEqual([true, true]);
    expect((await readLink(fragment, exampleIds)).isReadable).toBe(false);
  });

  it('084: a text that is too long for an address is left out', async () => {
    const noise = Array.from({ length: 60_000 }, (_, index) => computeSha256(String(index)).slice(-3)).join('');
    const { fragment, isComplete } = await createLink({ ...written, text: noise });
    expect([isComplete, fragment.includes('text=')]).toEqual([false, false]);
  });
});
