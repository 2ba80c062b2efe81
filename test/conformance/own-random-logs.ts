import { OwnCampaign } from '../../machines/own/own-campaign.ts';
import type { OwnAttempt, OwnTenant, OwnUser } from '../../machines/own/own-facts.ts';
import { type OwnRuleset, rulesAt } from '../../machines/own/own-ruleset.ts';
import {
  createOwnState,
  getOwnUser,
  type OpenOwnPrompt,
  type OwnState,
  type RegisteredItem,
  registeredItems,
  withRegistered,
} from '../../machines/own/own-state.ts';
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
  chooser: Chooser,
  size: number,
  settings: OwnTenant['settings'] = {},
): readonly OwnRow[] {
  const simulation = new Simulation(ruleset, chooser, settings);
  for (let step = 0; step < size; step += 1) simulation.step(step);
  return simulation.rows;
}

class Simulation {
  readonly rows: OwnRow[] = [];
  readonly #ruleset: OwnRuleset;
  readonly #chooser: Chooser;
  readonly #state: OwnState;
  readonly #campaign: OwnCampaign;
  readonly #waits: readonly number[];
  #nowMs = startMs;

  constructor(ruleset: OwnRuleset, chooser: Chooser, settings: OwnTenant['settings']) {
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
    this.#ruleset = ruleset;
    this.#chooser = chooser;
    this.#state = createOwnState(ruleset, tenant, [{ user: owner, createdAtMs: startMs }], startMs);
    this.#campaign = new OwnCampaign(this.#state);
    this.#waits = listWaits(ruleset);
  }

  step(number: number): void {
    const { pick, below } = this.#chooser;
    // The user is created by the first event.
    if (number > 0) this.#nowMs += pick(this.#waits);
    const { prompts } = getOwnUser(this.#state, user);
    const choice = below(prompts.length === 0 ? 12 : 22);
    if (choice === 10 && prompts.length === 0) this.#reset();
    else if (choice === 11 && prompts.length === 0) this.#changeMethods();
    else if (choice < 10 || prompts.length === 0) this.#signIn(`sign-in ${number}`);
    else this.#act(pick(prompts), choice - 10);
  }

  #write(what: string, prompt = '', answer = '', facts: OwnRow['facts'] = {}): void {
    this.rows.push({ atMs: this.#nowMs, what, prompt, answer, facts });
  }

  #reset(): void {
    this.#campaign.passTime(this.#nowMs);
    this.#campaign.resetLedger(user, this.#nowMs);
    this.#write('reset');
  }

  #changeMethods(): void {
    this.#campaign.passTime(this.#nowMs);
    const isHeld = getOwnUser(this.#state, user).user.passkeys.length > 0;
    if (isHeld) {
      this.#campaign.removeMethod(user, (before) => ({ ...before, methods: [], passkeys: [] }), this.#nowMs);
    } else this.#campaign.changeUser(user, (before) => withRegistered(before, this.#item(null)), this.#nowMs);
    this.#write(isHeld ? 'method-removed' : 'registered-elsewhere');
  }

  #item(attempt: OwnAttempt | null): RegisteredItem {
    const { methods, ask } = this.#ruleset.first;
    const kind = methods[ask]?.kind ?? 'form';
    if (kind !== 'passkey') return registeredItems[kind];
    const type = defaultPasskeyType(attempt?.os ?? 'windows');
    return { passkey: { type, deviceId: attempt?.deviceId ?? 'device-1' } };
  }

  #signIn(id: string): void {
    const { pick, below } = this.#chooser;
    const { attempt: definitions } = this.#ruleset.facts;
    const device = pick(devices);
    const values = Object.fromEntries(
      Object.entries(definitions)
        .filter(([, { type }]) => type === 'boolean')
        .map(([name, { default: usual }]) => [name, below(8) === 0 ? usual !== true : usual]),
    );
    const attempt = completeAttempt(device, getOwnUser(this.#state, user).user, this.#nowMs);
    const verdict = this.#campaign.signIn(user, {
      ...attempt,
      id,
      kind: 'signIn',
      sessionId: id,
      browserId: nameBrowser(attempt),
      facts: { ...listDefaults(definitions), ...values },
    });
    this.#write(kinds[verdict.outcome], id, '', { ...device, ...values });
  }

  /** Performs one of twelve actions at a prompt, of which half are answers. */
  #act({ id, phase, attempt }: OpenOwnPrompt, choice: number): void {
    const [campaign, nowMs] = [this.#campaign, this.#nowMs];
    const isSetup = phase === 'setup';
    const actions: readonly (readonly [string, boolean, () => string])[] = [
      ['next-selected', phase === 'offered', () => campaign.selectNext(user, id, nowMs)],
      ['closed', true, () => campaign.leave(user, id, nowMs)],
      ['resumed', true, () => campaign.resume(user, id, nowMs)],
      ['registered', isSetup || phase === 'error', () => campaign.complete(user, id, this.#item(attempt), nowMs)],
      ['setup-failed', isSetup, () => campaign.failSetup(user, id, nowMs)],
      ['error-skipped', phase === 'error', () => campaign.skipError(user, id, nowMs)],
    ];
    const action = actions[choice];
    if (action === undefined) {
      this.#answer(id, phase);
      return;
    }
    const [what, isOnPage, perform] = action;
    if (isOnPage && perform() === 'done') this.#write(what, id);
    // Without the setup page, the user selects "Next" first.
    else if (!isOnPage && phase === 'offered' && campaign.selectNext(user, id, nowMs) === 'done') {
      this.#write('next-selected', id);
    }
  }

  #answer(id: string, phase: OpenOwnPrompt['phase']): void {
    if (phase === 'error') return;
    const { answers } = rulesAt(this.#ruleset, this.#nowMs);
    const answer = this.#chooser.pick(Object.keys(answers).filter((one) => !['close', 'expire', 'next'].includes(one)));
    const what = { done: 'skipped', refused: 'skip-rejected', expired: 'skip-ignored', resolved: 'skip-ignored' };
    const result = this.#campaign.answer(user, id, answer, this.#nowMs);
    if (Object.hasOwn(what, result)) this.#write(what[result as keyof typeof what], id, answer);
  }
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
