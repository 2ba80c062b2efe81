import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inMemory, planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { journeyText, resealed } from '../replay/journey-text.ts';
import { runHere } from './command-context.ts';
import { failing, passing, rows, suiteFolder } from './suite-folder.ts';

const campaign = {
  state: 'enabled',
  includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
};

/** Records the journey of a user who skips, is snoozed and registers, and of one who leaves the prompt. */
async function journey(): Promise<string> {
  const plan = planSandbox({ tenant: { campaign }, users: [{ id: 'ada' }, { id: 'ben' }] });
  const sandbox = await Sandbox.create('default', plan, inMemory());
  const { signIns, clock, directory } = sandbox;
  const prompted = async (user: string): Promise<string> => {
    const { id } = await signIns.start(user);
    await signIns.acceptPassword(id);
    await signIns.completeMfa(id);
    return id;
  };
  await signIns.skip(await prompted('ada'));
  await signIns.leave(await prompted('ben'));
  await prompted('ada');
  await clock.advance({ days: 1 });
  const second = await prompted('ada');
  await signIns.selectNext(second);
  await signIns.completeSetup(second, null);
  await directory.patchTenant({ campaign: { snoozeDurationInDays: 3 } }, 'control-api');
  await directory.putUser('cleo', { methods: ['voice'] });
  return journeyText(await sandbox.journal({ after: 0, limit: 1_000 }));
}

const facts = [
  { user: { id: 'ada', methods: ['sms'] }, tenant: { campaign } },
  { user: { id: 'ben' }, attempt: { mfa: { completed: false } } },
  { ruleset: '2026-09', user: { id: 'cleo', type: 'guest' }, tenant: { campaign } },
  { user: { id: 7 } },
];

const model = `import { createMachine } from 'xstate';
export const machine = createMachine({
  id: 'door',
  initial: 'closed',
  states: { closed: { on: { open: 'opened', lock: 'locked' } }, opened: { on: { close: 'closed' } }, locked: { on: { unlock: 'closed' } } },
});
export const events = [{ type: 'open' }, { type: 'close' }, { type: 'lock' }, { type: 'unlock' }];
`;

const variants = JSON.stringify({
  registrationEnforcement: { authenticationMethodsRegistrationCampaign: { state: 'disabled' } },
});

/** Returns the files of the working folder by name. */
async function files(): Promise<Readonly<Record<string, string>>> {
  const text = await journey();
  return {
    'scenarios/passing.yaml': passing,
    'scenarios/failing.yaml': failing,
    'scenarios/rows.yaml': rows,
    'broken/wrong.yaml': 'name: Wrong\nsteps:\n  - fly: {}\n  - signIn: { user: eve }\n',
    'facts.ndjson': facts.map((line) => JSON.stringify(line)).join('\n'),
    'ada.ndjson': text,
    'changed.ndjson': text.replace('"outcome":"skippable"', '"outcome":"required"'),
    'other.ndjson': resealed(text.replace('"outcome":"skippable"', '"outcome":"required"')),
    'journeys/one.ndjson': text,
    'off.json': variants,
    'wrong.yaml': 'name: Wrong\ndays: 0\nusers: many\n',
    'door.mjs': model,
    'office.yaml': readFileSync('docs/examples/forecast/office.yaml', 'utf8'),
  };
}

/** Replaces paths and times that depend on the machine, the folder or the clock. */
function withoutPlaces(text: string, cwd: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(cwd, '<folder>')
    .replaceAll(process.cwd(), '<repository>')
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, '<time>')
    .replaceAll(/"(durationMs|elapsedMs|wallMs)":[\d.]+/g, '"$1":0')
    .replaceAll(/ +$/gm, '');
}

/** Removes the rule coverage, which has golden files of its own. */
function withoutCoverage(line: string): string {
  if (!line.startsWith('{') || !line.includes('"coverage":')) return line;
  const { coverage: _coverage, ...rest } = JSON.parse(line) as Record<string, unknown>;
  return JSON.stringify(rest);
}

/** Commands by the name of the golden file with their output. */
const transcripts: Readonly<Record<string, readonly (readonly string[])[]>> = {
  explain: [
    ['explain', '--facts', 'facts.ndjson'],
    ['explain', '--facts', 'facts.ndjson', '--json'],
    ['explain', '--user', 'sms-user'],
    [
      'explain',
      '--user',
      'out-of-snoozes',
      '--mfa-method',
      'voice',
      '--clock',
      '2026-03-01T00:00:00Z',
      '--device',
      'd2',
    ],
    ['explain', '--user', 'sms-user', '--sso', '--ruleset', '2026-09', '--surface', 'embedded-app'],
    ['explain', '--user', 'sms-user', '--mfa-provider', 'external', '--tenant', 'app-enabled', '--json'],
    ['explain', '--user', 'sms-user', '--clock', 'soon'],
    ['explain', '--user', 'sms-user', '--facts', 'facts.ndjson'],
    ['explain', '--user', 'sms-user', '--os', 'ios', '--browser', 'none', '--json'],
    ['explain', '--user', 'nobody'],
    ['explain'],
  ],
  run: [
    ['run'],
    ['run', '--json'],
    ['run', 'scenarios/rows.yaml#1'],
    ['run', '--bail', '--quiet'],
    ['run', 'scenarios/rows.yaml', '--repeat-each', '2', '--quiet', '--no-coverage'],
    ['run', 'scenarios', '--filter', 'asked again', '--no-coverage'],
    ['run', 'scenarios', '--shard', '2/2', '--quiet'],
    ['run', 'scenarios', '--last-failed', '--quiet', '--json'],
    ['run', 'scenarios', '--shard', '3/2'],
    ['run', 'scenarios', '--driver', 'none'],
    ['run', 'scenarios/passing.yaml', '--seed', '9', '--timeout', '5000ms', '--quiet', '--report', 'out'],
    ['run', 'scenarios/failing.yaml', '--quiet', '--baseline', 'out/report.json'],
    ['run', 'scenarios', '--tag', 'rows'],
    ['run', 'scenarios', '--covers', 'R1'],
    ['run', 'scenarios', '--tag', 'none'],
    ['run', 'broken'],
    ['run', 'nowhere'],
  ],
  lint: [['lint'], ['lint', 'broken'], ['lint', 'broken', '--json'], ['lint', 'scenarios', '--json']],
  replay: [
    ['replay', 'ada.ndjson'],
    ['replay', 'ada.ndjson', '--json'],
    ['replay', 'ada.ndjson', '--step', '0'],
    ['replay', 'ada.ndjson', '--step', '4'],
    ['replay', 'ada.ndjson', '--step', '4', '--json'],
    ['replay', 'ada.ndjson', '--step', '99'],
    ['replay', 'ada.ndjson', '--driver', 'model'],
    ['replay', 'ada.ndjson', '--driver', 'model', '--json'],
    ['replay', 'changed.ndjson'],
    ['replay', 'other.ndjson'],
    ['replay', 'other.ndjson', '--json'],
    ['replay', 'other.ndjson', '--driver', 'model'],
    ['replay', 'journeys', '--json'],
    ['replay', 'journeys', 'other.ndjson', 'changed.ndjson'],
    ['replay', 'facts.ndjson'],
    ['replay', 'ada.ndjson', 'ada.ndjson'],
    ['replay'],
  ],
  compare: [
    ['compare', 'ada.ndjson', '--policy', 'off.json'],
    ['compare', 'ada.ndjson', '--policy', 'off.json', '--json'],
    ['compare', 'ada.ndjson', '--ruleset', '2026-09', '--user', 'ada'],
    ['compare', 'ada.ndjson', '--ruleset', '2026-09', '--user', 'ada', '--json'],
    ['compare', 'ada.ndjson', '--policy', 'off.json', '--assume-action', 'register'],
    ['compare', 'ada.ndjson'],
    ['compare', 'nowhere', '--policy', 'off.json'],
  ],
  explore: [
    ['explore', 'document'],
    ['explore', 'document', '--json'],
    ['explore', './door.mjs'],
    ['explore', 'none'],
  ],
  generate: [
    ['generate', './door.mjs', '--format', 'json', '--out', 'door'],
    ['generate', './door.mjs', '--format', 'vitest', '--out', 'door-specs', '--json'],
    ['generate', './door.mjs', '--coverage', 'pairs', '--format', 'json', '--out', 'pairs'],
    ['generate', './door.mjs', '--random-steps', '20', '--seed', '3', '--format', 'json', '--out', 'walks'],
    ['generate', './door.mjs', '--coverage', 'none'],
  ],
  fuzz: [
    ['fuzz', '--driver', 'model', '--runs', '3', '--max-steps', '5', '--seed', '2'],
    ['fuzz', '--driver', 'model', '--runs', '3', '--max-steps', '5', '--json'],
    ['fuzz', '--driver', 'none'],
  ],
  forecast: [
    ['forecast', 'office.yaml', '--users', '40', '--days', '6'],
    ['forecast', 'office.yaml', '--users', '40', '--days', '6', '--seeds', '2', '--verify', '5', '--sensitivity'],
    ['forecast', 'office.yaml', '--users', '20', '--days', '4', '--sweep', 'snoozeDays=0,3', '--ruleset', '2026-09'],
    ['forecast', 'office.yaml', '--users', '40', '--user', '7'],
    ['forecast', 'office.yaml', '--sweep', 'snoozeDays=x'],
    ['forecast', 'wrong.yaml'],
    ['forecast', 'nowhere.yaml'],
    ['forecast'],
  ],
  import: [
    ['import', '--synthesize', '60', '--seed', '3', '--format', 'csv', '--out', 'made-up'],
    [
      'import',
      'made-up/sign-ins.csv',
      '--registrations',
      'made-up/registrations.csv',
      '--policy',
      'made-up/policy.json',
      '--out',
      'tenant',
    ],
    ['import', 'made-up/sign-ins.csv', '--out', 'tenant'],
    ['import', 'made-up/sign-ins.csv', '--out', 'again', '--json'],
    ['import', 'nowhere.csv', '--out', 'none'],
    ['compare', 'tenant', '--policy', 'off.json'],
    ['compare', 'tenant', '--ruleset', '2026-09', '--user', 'nobody'],
    ['import'],
  ],
  lookup: [
    ['lookup', 'ada@example.test', '--tool', 'wexlar'],
    ['lookup', 'ada', '--type', 'username', '--format', 'csv'],
    ['lookup', 'ada@example.test', '--tool', 'wexlar', '--json'],
    ['lookup', 'ada@example.test', '--tool', 'none'],
    ['lookup'],
  ],
  schema: [['schema'], ['schema', 'none']],
  shrink: [
    ['shrink', 'scenarios/failing.yaml', '--out', 'short.yaml'],
    ['shrink', 'scenarios/failing.yaml', '--out', 'again.yaml', '--json'],
    ['shrink', 'scenarios/passing.yaml'],
    ['shrink', 'scenarios/passing.yaml', '--json'],
  ],
  init: [
    ['init', 'suite'],
    ['init', 'suite'],
    ['init', 'other', '--json'],
  ],
};

describe('golden files of command output', () => {
  it.for(Object.entries(transcripts))(
    'the output of %s matches its golden file',
    { timeout: 60_000 },
    async ([name, commands]) => {
      const cwd = suiteFolder(await files());
      symlinkSync(join(process.cwd(), 'node_modules'), join(cwd, 'node_modules'));
      const parts: string[] = [];
      for (const argv of commands) {
        const { code, stdout, stderr } = await runHere([...argv, '--no-color'], { cwd });
        parts.push(
          `$ nudgelab ${argv.join(' ')}\n${stdout.split('\n').map(withoutCoverage).join('\n')}${stderr === '' ? '' : `--- error\n${stderr}`}--- exit code ${code}\n`,
        );
      }
      await expect(withoutPlaces(parts.join('\n'), cwd)).toMatchFileSnapshot(`../golden/cli/${name}.txt`);
    },
  );

  it('generate: without --seed, a random walk uses the random seed 1', async () => {
    const cwd = suiteFolder(await files());
    symlinkSync(join(process.cwd(), 'node_modules'), join(cwd, 'node_modules'));
    const walked = async (out: string, ...seed: readonly string[]) => {
      await runHere(['generate', './door.mjs', '--random-steps', '20', '--format', 'json', '--out', out, ...seed], {
        cwd,
      });
      return readdirSync(join(cwd, out)).map((name) => readFileSync(join(cwd, out, name), 'utf8'));
    };
    const first = await walked('a');
    expect(first.join('')).toContain('open');
    expect(await walked('b', '--seed', '1')).toEqual(first);
    expect(await walked('c', '--seed', '2')).not.toEqual(first);
  });

  it('shrink: the written file fails in the same way as the original', async () => {
    const cwd = suiteFolder(await files());
    await runHere(['shrink', 'scenarios/failing.yaml', '--out', 'short.yaml'], { cwd });
    expect(await runHere(['run', 'short.yaml'], { cwd })).toMatchObject({ code: 1 });
    expect(readFileSync(join(cwd, 'short.yaml'), 'utf8')).toContain('reason: null');
  });
});
