import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import type { Assumption, Comparison } from '../../../src/contract/comparison.schema.ts';
import { tenantFactsSchema } from '../../../src/contract/facts.schema.ts';
import { compareImport } from '../../../src/replay/compare/compare-import.ts';
import { compareJourney } from '../../../src/replay/compare/compare-journey.ts';
import type { Variant } from '../../../src/replay/compare/variant-evaluator.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { generateExport, madeUpSchema } from '../../../src/replay/import/synthetic-export.ts';
import { decodeMethods, parsePasskeys } from '../../../src/replay/import/user-methods.ts';
import { inMemory, planSandbox, Sandbox } from '../../../src/sandbox/sandbox.ts';
import { nonEmpty } from '../../non-empty.ts';
import { type Attempt, type Imported, imported } from '../import/import-work.ts';
import { journeyText, openText } from '../journey-text.ts';

const dayMs = 86_400_000;
const everybody = (method: string) => [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }];

function variant(name: string, campaign: object, ruleset = seedRuleset): Variant {
  const tenant = tenantFactsSchema.parse({ campaign });
  return { name, apply: (before: TenantFacts) => ({ ...before, campaign: tenant.campaign }), ruleset };
}

const app = { state: 'enabled', includeTargets: everybody('vendorAuthenticator') };
const passkey = { state: 'enabled', includeTargets: everybody('fido2') };
const variants = [
  variant('app three days', { ...app, snoozeDurationInDays: 3 }),
  variant('passkey', passkey),
  variant('passkey without limit', {
    ...passkey,
    enforceRegistrationAfterAllowedSnoozes: false,
    snoozeDurationInDays: 7,
  }),
  variant('app by the newer ruleset', app, rulesets.get('2026-09') ?? seedRuleset),
  variant('off', { ...app, state: 'disabled' }),
];

let made: Imported;

beforeAll(async () => {
  const madeUp = madeUpSchema.parse(parse(readFileSync('fixtures/imports/made-up.yaml', 'utf8')));
  const out = mkdtempSync(join(tmpdir(), 'nudgelab-test-'));
  const files = await generateExport(madeUp, { rows: 1_500, seed: 11, form: 'parquet', out });
  const { signIns, registrations, policy } = files;
  made = await imported({ signIns: [signIns], registrations, policy: JSON.parse(readFileSync(policy, 'utf8')) });
});

async function compared(
  assume: Assumption,
  see?: (attempt: ComparedAttempt) => void,
  user?: string,
): Promise<Comparison> {
  const session = await DuckDbSession.open(made.folder, undefined, true);
  try {
    const selection = user === undefined ? {} : { user };
    return await compareImport(session, made.folder, {
      variants,
      assumedAction: assume,
      ruleset: seedRuleset,
      see,
      ...selection,
    });
  } finally {
    session.close();
  }
}

interface SimulatedCampaign {
  readonly method: 'app' | 'passkey';
  readonly days: number;
  readonly limited: boolean;
}

type SimulatedUser = Readonly<Record<'methods' | 'passkeys', readonly string[]>> & { readonly guest: boolean };

/**
 * Returns whether a user can be prompted at an attempt. A second implementation of the `seed` rules for synthetic
 * exports.
 */
function canBePrompted({ method }: SimulatedCampaign, user: SimulatedUser, attempt: Attempt): boolean {
  const { os, surface, mfa, ssoSession, registeredThisSession } = attempt;
  if (!mfa.completed || mfa.provider !== 'service' || ssoSession || registeredThisSession) return false;
  if (method === 'app') return os !== 'ios' && os !== 'android' && !user.methods.includes('authenticator-push');
  const local =
    user.passkeys.includes('authenticator-app') ||
    (user.passkeys.includes('windows-hello-for-business') && os === 'windows');
  return os !== 'linux' && !user.guest && !(os === 'android' && surface === 'native-app') && !local;
}

/** Counts the prompts, and the required ones among them, if all users skip whenever possible. */
function simulated(campaign: SimulatedCampaign): { prompted: number; required: number } {
  let prompted = 0;
  let required = 0;
  for (const known of made.users) {
    let count = 0;
    let since = Number.NEGATIVE_INFINITY;
    const methods = decodeMethods(Number(known['methods']));
    const user = { methods, passkeys: parsePasskeys(String(known['passkeys'])), guest: known['guest'] === true };
    for (const attempt of made.attempts.filter(
      (one) => one.user === known['id'] && canBePrompted(campaign, user, one),
    )) {
      const atMs = Date.parse(attempt.at);
      if (atMs - since < campaign.days * dayMs) continue;
      prompted += 1;
      if (campaign.limited && count >= 3) required += 1;
      else [count, since] = [count + 1, atMs];
    }
  }
  return { prompted, required };
}

describe('comparison with an import', { timeout: 240_000 }, () => {
  it('R5, R6, R10, R11, R12: totals equal those of a simulation that shares no code with the rules', async () => {
    const { variants: found, attempts } = await compared('skip');
    expect(attempts).toBe(made.attempts.length);
    const totals = (index: number): { prompted: number; required: number } => {
      const { certain, assumed } = found[index]?.totals ?? { certain: null, assumed: null };
      if (certain === null || assumed === null) throw new Error('no totals');
      return {
        prompted: certain.promptedInVariant + assumed.promptedInVariant,
        required: certain.requiredAfter + assumed.requiredAfter,
      };
    };
    expect(totals(0)).toEqual(simulated({ method: 'app', days: 3, limited: true }));
    expect(totals(1)).toEqual(simulated({ method: 'passkey', days: 1, limited: true }));
    expect(totals(2)).toEqual(simulated({ method: 'passkey', days: 7, limited: false }));
    expect(totals(4)).toEqual({ prompted: 0, required: 0 });
    const base = found[0]?.totals;
    const before = {
      prompted: (base?.certain.promptedInBaseline ?? 0) + (base?.assumed.promptedInBaseline ?? 0),
      required: base?.assumed.requiredBefore,
    };
    expect(before).toEqual(simulated({ method: 'app', days: 1, limited: true }));
    expect(before.prompted).toBeGreaterThan(100);
  });

  it.each(['skip', 'register', 'close'] as const)(
    'A39, A41: with %s the result equals a replay of the same sign-ins through the machines',
    async (assume) => {
      const journey = await foldedJourney(assume);
      const folded = await compareJourney(await openText(journey), 'journey', {
        variants,
        assumedAction: assume,
        ruleset: seedRuleset,
      });
      const byColumns = await compared(assume);
      expect(folded.attempts).toBe(byColumns.attempts);
      for (const [index, { name, byRule, users, requiredAtNextSignIn, byPlatform }] of nonEmpty(
        byColumns.variants.entries(),
      )) {
        const other = folded.variants[index];
        expect([name, listPairs(byRule)]).toEqual([name, listPairs(other?.byRule ?? [])]);
        expect([name, users.changed, users.newlyRequired]).toEqual([
          name,
          other?.users.changed,
          other?.users.newlyRequired,
        ]);
        expect([name, requiredAtNextSignIn]).toEqual([name, other?.requiredAtNextSignIn]);
        expect(Object.keys(byPlatform)).toEqual(Object.keys(other?.byPlatform ?? {}));
      }
    },
  );

  it('the counts by rule, platform and day add up to the totals', async () => {
    const { variants: found } = await compared('skip');
    for (const { totals, byRule, byPlatform, byDay, actions: answers } of nonEmpty(found)) {
      const sum = (parts: Comparison['variants'][number]['byDay']): number =>
        Object.values(parts).reduce(
          (total, { certain, assumed }) => total + certain.newlyPrompted + assumed.newlyPrompted,
          0,
        );
      const whole = totals.certain.newlyPrompted + totals.assumed.newlyPrompted;
      expect([sum(byPlatform), sum(byDay)]).toEqual([whole, whole]);
      expect(byRule.reduce((total, { certain, assumed }) => total + certain + assumed, 0)).toBe(made.attempts.length);
      expect(answers).toEqual({
        applied: 0,
        inapplicable: 0,
        assumed: totals.certain.promptedInVariant + totals.assumed.promptedInVariant,
      });
    }
  });

  it('A4, C1: warnings name their rule: a campaign that prompts no users, and a limit that requires many', async () => {
    const { variants: found } = await compared('skip');
    expect(found[4]?.warnings.map(({ code, rule }) => [code, rule])).toContainEqual(['campaign-reaches-nobody', 'C1']);
    const warning = found[0]?.warnings.find(({ code }) => code === 'users-required-at-once');
    expect(warning).toMatchObject({ rule: 'A4' });
    expect(found[2]?.requiredAtNextSignIn.ifAppliedThroughout).toEqual({ users: 0, stillSnoozing: 0 });
  });

  it('one user: every attempt contains every gate of baseline and variant', async () => {
    const user = String(made.users[3]?.['id']);
    const seen: ComparedAttempt[] = [];
    await compared('skip', (attempt) => seen.push(attempt), user);
    const mine = made.attempts.filter((attempt) => attempt.user === user);
    expect(seen.filter((attempt) => attempt.variant === 'passkey').map(({ at }) => at)).toEqual(
      mine.map(({ at }) => at),
    );
    for (const { rules = [], after } of nonEmpty(seen)) {
      const first = rules.find((rule) => rule.after.startsWith('stopped'));
      expect([first?.id ?? null, first?.after.slice('stopped: '.length) ?? null]).toEqual([after.rule, after.reason]);
    }
    await expect(compared('skip', undefined, 'nobody')).rejects.toMatchObject({ code: 'user-not-found' });
  });

  it('import-unrecognized: another folder is rejected', async () => {
    const session = await DuckDbSession.open(made.folder);
    const options = { variants, assumedAction: 'skip', ruleset: seedRuleset } as const;
    await expect(compareImport(session, tmpdir(), options)).rejects.toMatchObject({ code: 'import-unrecognized' });
    session.close();
  });
});

function listPairs(rows: Comparison['variants'][number]['byRule']): readonly string[] {
  return rows
    .map(
      ({ before, after, certain, assumed }) =>
        `${before.outcome} ${before.rule} → ${after.outcome} ${after.rule}: ${certain + assumed}`,
    )
    .toSorted();
}

/** Runs the same sign-ins in a sandbox. Prompted users perform the assumed action. Returns the journey. */
async function foldedJourney(assume: Assumption): Promise<string> {
  const epoch = made.manifest.policies[0];
  const { campaign } = epoch?.tenant ?? {};
  const users = made.users.map((user) => ({
    id: String(user['id']),
    type: user['guest'] === true ? 'guest' : 'member',
    methods: decodeMethods(Number(user['methods'])),
    passkeys: parsePasskeys(String(user['passkeys'])).map((type) => ({ type, deviceId: 'device-1' })),
  }));
  const attempts = made.attempts.toSorted((a, b) => a.at.localeCompare(b.at));
  const startMs = Date.parse(attempts[0]?.at ?? '');
  const plan = planSandbox({ tenant: { campaign }, users, clock: { nowMs: startMs, running: false } });
  const sandbox = await Sandbox.create('default', plan, inMemory());
  for (const { at, user, n: _rows, facts: _none, ...facts } of attempts) {
    await sandbox.clock.set({ nowMs: Date.parse(at) });
    let view = await sandbox.signIns.start(user, facts);
    if (view.screen === 'password') view = await sandbox.signIns.acceptPassword(view.id);
    if (view.screen === 'mfa' || view.screen === 'externalMfa') view = await sandbox.signIns.completeMfa(view.id);
    if (view.screen === 'securityInfo') view = await sandbox.signIns.passInterstitial(view.id);
    if (view.outcome === 'none') continue;
    if (assume === 'close') await sandbox.signIns.leave(view.id);
    else if (assume === 'register') {
      await sandbox.signIns.selectNext(view.id);
      await sandbox.signIns.completeSetup(view.id, null);
    } else if (view.outcome === 'skippable') await sandbox.signIns.skip(view.id);
  }
  return journeyText(await sandbox.journal({ after: 0, limit: 1_000_000 }));
}
