import { OwnCampaign } from '../../machines/own/own-campaign.ts';
import type { OwnAttempt, OwnTenant, OwnUser } from '../../machines/own/own-facts.ts';
import { type OwnRuleset, rulesAt } from '../../machines/own/own-ruleset.ts';
import { createOwnState, getOwnUser, registeredItems, withRegistered } from '../../machines/own/own-state.ts';
import { completeAttempt } from '../../src/contract/attempt-facts.ts';
import { listDefaults } from '../../src/contract/declared-values.ts';
import { defaultPasskeyType } from '../../src/contract/step-names.ts';
import { nameBrowser } from '../../src/journal/own-campaign-facts.ts';
import type { Chooser } from './random-logs.ts';

/** Row of a log: a time, a kind of event, and what it states. */
export interface OwnRow {
  readonly atMs: number;
  readonly what: string;
  readonly prompt: string;
  readonly answer: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const startMs = Date.UTC(2026, 0, 5, 9);
const minuteMs = 60_000;
const dayMs = 86_400_000;
const user = 'user';

const kinds = {
  none: 'not-prompted',
  skippable: 'prompt-skippable',
  required: 'prompt-required',
  blocked: 'blocked',
} as const;

const devices = [
  { os: 'windows', deviceId: 'device-1' },
  { os: 'macos', deviceId: 'device-2' },
] as const;

/**
 * Simulates one user under a ruleset and writes all that happens, by the campaign alone.
 *
 * @param ruleset - ruleset
 * @param chooser - chooses what happens
 * @param size - number of steps that are tried
 * @param settings - settings of the tenant that differ from their defaults
 */
export function simulateLog(
  ruleset: OwnRuleset,
  { pick, below }: Chooser,
  size: number,
  settings: OwnTenant['settings'] = {},
): readonly OwnRow[] {
  const { first, facts } = ruleset;
  const tenant: OwnTenant = {
    id: 'tenant',
    subscription: 'paid',
    facts: listDefaults(facts.tenant),
    settings: { ...listDefaults(first.settings), ...settings },
  };
  const owner: OwnUser = {
    id: user,
    type: 'member',
    groups: [],
    methods: ['sms'],
    passkeys: [],
    mfaCapable: true,
    facts: listDefaults(facts.user),
  };
  const state = createOwnState(ruleset, tenant, [{ user: owner, createdAtMs: startMs }], startMs);
  const campaign = new OwnCampaign(state);
  const rows: OwnRow[] = [];
  const flags = Object.entries(facts.attempt).filter(([, { type }]) => type === 'boolean');
  const waits = listWaits(ruleset);
  let nowMs = startMs;
  const write = (what: string, prompt = '', answer = '', stated: OwnRow['facts'] = {}): void => {
    rows.push({ atMs: nowMs, what, prompt, answer, facts: stated });
  };
  for (let step = 0; step < size; step += 1) {
    nowMs += pick(waits);
    const { prompts } = getOwnUser(state, user);
    const prompt = prompts.length === 0 ? null : pick(prompts);
    const item = (attempt: OwnAttempt | null) => {
      const kind = first.methods[first.ask]?.kind ?? 'form';
      return kind === 'passkey'
        ? { passkey: { type: defaultPasskeyType(attempt?.os ?? 'windows'), deviceId: attempt?.deviceId ?? 'device-1' } }
        : registeredItems[kind];
    };
    const choice = below(prompt === null ? 13 : 22);
    if (choice < 10 || prompt === null) {
      if (choice === 11) {
        campaign.passTime(nowMs);
        campaign.resetLedger(user);
        write('reset');
        continue;
      }
      if (choice === 12) {
        campaign.passTime(nowMs);
        const isHeld = getOwnUser(state, user).user.passkeys.length > 0;
        if (isHeld) campaign.removeMethod(user, (before) => ({ ...before, methods: [], passkeys: [] }), nowMs);
        else campaign.changeUser(user, (before) => withRegistered(before, item(null)), nowMs);
        write(isHeld ? 'method-removed' : 'registered-elsewhere');
        continue;
      }
      const device = pick(devices);
      const values = Object.fromEntries(
        flags.map(([name, { default: usual }]) => [name, below(8) === 0 ? usual !== true : usual]),
      );
      const patch = { os: device.os, deviceId: device.deviceId };
      const attempt = completeAttempt(patch, getOwnUser(state, user).user, nowMs);
      const id = `sign-in ${step}`;
      const verdict = campaign.signIn(user, {
        ...attempt,
        id,
        kind: 'signIn',
        sessionId: id,
        browserId: nameBrowser(attempt),
        facts: { ...listDefaults(facts.attempt), ...values },
      });
      write(kinds[verdict.outcome], id, '', { ...patch, ...values });
      continue;
    }
    const { id } = prompt;
    const answers = Object.keys(rulesAt(ruleset, nowMs).answers).filter(
      (one) => !['close', 'expire', 'next'].includes(one),
    );
    const answer = pick(answers);
    const act = {
      10: () => ['next-selected', campaign.selectNext(user, id, nowMs)],
      11: () => ['closed', campaign.leave(user, id, nowMs)],
      12: () => ['resumed', campaign.resume(user, id, nowMs)],
      13: () => ['registered', complete()],
      14: () => ['setup-failed', fail()],
      15: () => ['error-skipped', campaign.skipError(user, id, nowMs)],
    }[choice];
    const begin = (): string => campaign.selectNext(user, id, nowMs);
    const complete = (): string =>
      begin() === 'done' ? campaign.complete(user, id, item(prompt.attempt), nowMs) : 'not-open';
    const fail = (): string => (begin() === 'done' ? campaign.failSetup(user, id, nowMs) : 'not-open');
    const needsPage = [10, 14].includes(choice);
    if (needsPage && prompt.phase !== 'offered' && !(choice === 14 && prompt.phase === 'setup')) continue;
    if (act !== undefined) {
      if (choice > 12 && prompt.phase === 'offered') {
        if (begin() === 'done') write('next-selected', id);
      }
      const [what = '', result] = act();
      if (result === 'done') write(what, id);
      continue;
    }
    if (prompt.phase === 'error') continue;
    const result = campaign.answer(user, id, answer, nowMs);
    if (result === 'done') write('skipped', id, answer);
    if (result === 'refused') write('skip-rejected', id, answer);
    if (result === 'expired' || result === 'resolved') write('skip-ignored', id, answer);
  }
  return rows;
}

/** Lists waits between events: short ones, and those at the durations of a ruleset. */
function listWaits({ first }: OwnRuleset): readonly number[] {
  const ofCadence = first.cadence.durations.flatMap((one) => ('constant' in one ? [one.constant.ms] : [7 * dayMs]));
  const ofDeadline = (first.deadline?.ends ?? []).flatMap((end) =>
    'after' in end && 'constant' in end.after ? [end.after.constant.ms] : [],
  );
  const edges = [...ofCadence, ...ofDeadline, first.lifetimeMs].flatMap((ms) => [ms - 1, ms, Math.floor(ms / 2)]);
  return [0, 1_000, minuteMs, minuteMs, minuteMs, 5 * minuteMs, 16 * minuteMs, dayMs, dayMs, ...edges];
}
