import type { OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import { type ActionResult, OwnCampaign, type OwnStatus } from '../../../machines/own/own-campaign.ts';
import type { OwnAttempt, OwnTenant, OwnUser } from '../../../machines/own/own-facts.ts';
import { rulesAt } from '../../../machines/own/own-ruleset.ts';
import {
  copyOwnState,
  createOwnState,
  getOwnUser,
  type OwnState,
  registeredItems,
} from '../../../machines/own/own-state.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import { defaultPasskeyType, type PageName } from '../../contract/step-names.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { instantMsMax } from '../../core/limits.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { listDefaults, readDeclared } from './declared-values.ts';
import type { OwnObservation } from './own-run.ts';
import type { OwnScenarioPlan, OwnStep, OwnStepOf } from './own-scenario.ts';

/** Tab of a user with the attempt of its sign-in. */
interface Tab {
  readonly userId: string;
  readonly attempt: OwnAttempt;
}

/** Memory of a session: the campaign, the sessions and cleared data of browsers, and the id of the latest prompt. */
export interface OwnSessionMemory {
  readonly state: OwnState;
  readonly sessions: ReadonlyMap<string, string>;
  readonly cleared: ReadonlyMap<string, number>;
  readonly prompt: string | null;
}

type Handlers = { readonly [K in OwnStep['kind']]: (step: OwnStepOf<K>) => OwnObservation };

/** Scenario of a ruleset file in progress on the model. */
export class OwnSession {
  readonly #plan: OwnScenarioPlan;
  readonly #state: OwnState;
  readonly #campaign: OwnCampaign;
  readonly #tabs: Map<string, Tab>;
  /** Latest session of each user and browser. */
  readonly #sessions: Map<string, string>;
  /** Number of times that the data of each browser was cleared. */
  readonly #cleared: Map<string, number>;
  #nowMs: number;
  #signIns = 0;
  #latest: string | null = null;
  /** User of the latest step. */
  userId: string | null = null;

  /** Begins the scenario of a plan, or continues another session, which stays as it is. */
  constructor(plan: OwnScenarioPlan, from: OwnSession | null = null) {
    this.#plan = plan;
    this.#nowMs = from === null ? plan.nowMs : from.#nowMs;
    this.#state =
      from === null ? createOwnState(plan.ruleset, plan.tenant, plan.users, plan.nowMs) : copyOwnState(from.#state);
    this.#campaign = new OwnCampaign(this.#state);
    this.#tabs = new Map(from === null ? [] : from.#tabs);
    this.#sessions = new Map(from === null ? [] : from.#sessions);
    this.#cleared = new Map(from === null ? [] : from.#cleared);
    if (from === null) return;
    this.#signIns = from.#signIns;
    this.#latest = from.#latest;
    this.userId = from.userId;
  }

  /** Returns a copy of this session, which continues on its own. */
  fork(): OwnSession {
    return new OwnSession(this.#plan, this);
  }

  /** Everything that the next steps depend on, but for the clock. Callers do not change it. */
  get memory(): OwnSessionMemory {
    const tab = this.#tabs.get(this.#latest ?? '');
    return { state: this.#state, sessions: this.#sessions, cleared: this.#cleared, prompt: tab?.attempt.id ?? null };
  }

  /** Performs a step. Throws a `NudgeLabError` if it is impossible. */
  perform(step: OwnStep): OwnObservation {
    const { say } = step;
    if (typeof say === 'object' && 'user' in say && typeof say.user === 'string') this.userId = say.user;
    return (this.#handlers[step.kind] as (step: OwnStep) => OwnObservation)(step);
  }

  /** Time on the virtual clock in milliseconds. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Returns the nudge status of a user now. */
  status(userId: string): OwnStatus {
    return this.#campaign.status(userId, this.#nowMs);
  }

  readonly #handlers: Handlers = {
    signIn: ({ say }) => {
      const attempt = this.#createAttempt(say);
      const verdict = this.#campaign.signIn(say.user, attempt);
      this.#latest = say.as ?? say.user;
      this.#tabs.set(this.#latest, { userId: say.user, attempt });
      return { verdict, status: 200, page: pages[verdict.outcome] };
    },
    explain: ({ say }) => {
      const verdict = this.#campaign.explain(say.user, this.#createAttempt(say));
      return { verdict };
    },
    next: ({ say }) =>
      this.#act(
        say.prompt,
        ({ userId, attempt }) => this.#campaign.selectNext(userId, attempt.id, this.#nowMs),
        'setup',
      ),
    skip: ({ say }) => {
      const answer = say.answer ?? Object.keys(this.#rules().answers)[0] ?? 'skip';
      return this.#act(
        say.prompt,
        ({ userId, attempt }) => this.#campaign.answer(userId, attempt.id, answer, this.#nowMs),
        'signed-in',
        answer,
      );
    },
    closeBrowser: ({ say }) => {
      const { userId, attempt } = this.#find(say.prompt);
      this.#campaign.leave(userId, attempt.id, this.#nowMs);
      return { page: 'closed' };
    },
    abandon: ({ say }) => {
      this.#find(say.prompt);
      return { page: 'closed' };
    },
    reload: ({ say }) =>
      this.#act(say.prompt, ({ userId, attempt }) => this.#campaign.resume(userId, attempt.id, this.#nowMs), null),
    register: ({ say }) =>
      this.#act(
        say.prompt,
        ({ userId, attempt }) => {
          const { methods, ask } = this.#rules();
          const kind = methods[ask]?.kind ?? 'form';
          if (say.passkey !== undefined && kind !== 'passkey') {
            throw new NudgeLabError('driver-failed', { message: `The prompt asks for ${ask}, which is no passkey.` });
          }
          const type = say.passkey?.type ?? defaultPasskeyType(attempt.os);
          const deviceId = say.passkey?.deviceId ?? attempt.deviceId;
          const item = kind === 'passkey' ? { passkey: { type, deviceId } } : registeredItems[kind];
          const begun = this.#campaign.selectNext(userId, attempt.id, this.#nowMs);
          return begun === 'done' ? this.#campaign.complete(userId, attempt.id, item, this.#nowMs) : begun;
        },
        'signed-in',
      ),
    failRegistration: ({ say }) =>
      this.#act(
        say.prompt,
        ({ userId, attempt }) => {
          const begun = this.#campaign.selectNext(userId, attempt.id, this.#nowMs);
          return begun === 'done' ? this.#campaign.failSetup(userId, attempt.id, this.#nowMs) : begun;
        },
        'error-screen',
      ),
    skipError: ({ say }) =>
      this.#act(
        say.prompt,
        ({ userId, attempt }) => this.#campaign.skipError(userId, attempt.id, this.#nowMs),
        'signed-in',
      ),
    advance: ({ say: { days = 0, hours = 0, minutes = 0, ms = 0 } }) =>
      this.#moveTo(this.#nowMs + days * 86_400_000 + hours * 3_600_000 + minutes * 60_000 + ms),
    setClock: ({ say }) => this.#moveTo(parseInstant(say) ?? this.#nowMs),
    setTenant: ({ say }) => {
      const facts = readDeclared(say.facts ?? {}, this.#plan.ruleset.facts.tenant, 'setTenant.facts');
      const settings = readDeclared(say.settings ?? {}, this.#rules().settings, 'setTenant.settings');
      this.#campaign.changeTenant(
        (tenant: OwnTenant) => ({
          ...tenant,
          facts: { ...tenant.facts, ...facts },
          settings: { ...tenant.settings, ...settings },
        }),
        this.#nowMs,
      );
      return {};
    },
    setUser: ({ say: { user, facts: written, ...fixed } }) => {
      const facts = readDeclared(written ?? {}, this.#plan.ruleset.facts.user, 'setUser.facts');
      const change = Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== undefined));
      this.#campaign.changeUser(
        user,
        (before: OwnUser) => ({ ...before, ...change, facts: { ...before.facts, ...facts } }),
        this.#nowMs,
      );
      return {};
    },
    removeMethod: ({ say: { user, method } }) => {
      const { methods, passkeys } = getOwnUser(this.#state, user).user;
      const known: readonly string[] = [...methods, ...(passkeys.length > 0 ? ['fido2'] : [])];
      if (!known.includes(method)) {
        throw new NudgeLabError('driver-failed', { message: `The method ${describeUnknownName(method, known)}.` });
      }
      this.#campaign.removeMethod(
        user,
        (before) => ({
          ...before,
          passkeys: method === 'fido2' ? [] : before.passkeys,
          methods: before.methods.filter((one) => one !== method),
        }),
        this.#nowMs,
      );
      return {};
    },
    clearBrowser: ({ say: { user } }) => {
      const { lastAttempt } = getOwnUser(this.#state, user);
      if (lastAttempt === null)
        throw new NudgeLabError('driver-failed', { message: `The user ${user} has not signed in yet.` });
      this.#campaign.clearBrowser(user, this.#nowMs);
      const browser = browserOn(lastAttempt);
      this.#cleared.set(browser, (this.#cleared.get(browser) ?? 0) + 1);
      this.#sessions.clear();
      return {};
    },
    resetLedger: ({ say: { user } }) => {
      this.#campaign.resetLedger(user, this.#nowMs);
      return {};
    },
  };

  #rules() {
    return rulesAt(this.#plan.ruleset, this.#nowMs);
  }

  #moveTo(nowMs: number): OwnObservation {
    if (nowMs > instantMsMax)
      throw new NudgeLabError('driver-failed', { message: 'The clock cannot go beyond the year 9999.' });
    this.#nowMs = nowMs;
    this.#campaign.passTime(nowMs);
    return {};
  }

  #createAttempt(say: OwnStepOf<'signIn'>['say'] | OwnStepOf<'explain'>['say']): OwnAttempt {
    const { user: userId, session = 'new', kind = 'signIn', browserId, facts: written = {}, ...rest } = say;
    const patch = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'as'));
    const { user } = getOwnUser(this.#state, userId);
    const definitions = this.#plan.ruleset.facts.attempt;
    const facts = { ...listDefaults(definitions), ...readDeclared(written, definitions, 'signIn.facts') };
    const attempt = completeAttempt(patch, user, this.#nowMs);
    this.#signIns += 1;
    const id = `sign-in-${this.#signIns}`;
    const browser = browserOn(attempt);
    const cleared = this.#cleared.get(browser) ?? 0;
    const owner = `${userId} ${browserId ?? browser}`;
    const sessionId = session === 'same' ? (this.#sessions.get(owner) ?? `session-${id}`) : `session-${id}`;
    this.#sessions.set(owner, sessionId);
    return {
      ...attempt,
      nowMs: this.#nowMs,
      id,
      kind,
      sessionId,
      browserId: browserId ?? (cleared === 0 ? browser : `${browser}-${cleared + 1}`),
      facts,
    };
  }

  #find(prompt: string | undefined): Tab {
    const tab = this.#tabs.get(prompt ?? this.#latest ?? '');
    if (tab !== undefined) {
      this.userId = tab.userId;
      return tab;
    }
    const message = `No earlier sign-in has the name ${describeUnknownName(prompt ?? '', [...this.#tabs.keys()])}.`;
    throw new NudgeLabError('driver-failed', { message });
  }

  /** Performs an action at a prompt. `page` is the page after it, or `null` for that of the prompt itself. */
  #act(
    prompt: string | undefined,
    action: (tab: Tab) => ActionResult,
    page: PageName | null,
    answer?: string,
  ): OwnObservation {
    const tab = this.#find(prompt);
    const result = action(tab);
    if (result === 'answer-unknown') {
      const known = Object.keys(this.#rules().answers).filter((id) => !['close', 'expire', 'next'].includes(id));
      throw new NudgeLabError('driver-failed', { message: `The answer ${describeUnknownName(answer ?? '', known)}.` });
    }
    if (result === 'done' && page !== null) return { page, status: 200 };
    // A late answer counts nothing, and the user goes on (A40).
    if (result === 'resolved' || (result === 'expired' && answer !== undefined))
      return { page: 'signed-in', status: 200 };
    if (result === 'not-open') throw new NudgeLabError('prompt-not-open');
    const open = getOwnUser(this.#state, tab.userId).prompts.find(({ id }) => id === tab.attempt.id);
    const status = result === 'done' ? 200 : 409;
    if (open === undefined) return { page: 'name', status };
    if (open.phase !== 'offered') return { page: open.phase === 'error' ? 'error-screen' : 'setup', status };
    return { page: open.required ? 'required' : 'prompt', status };
  }
}

/** Pages of the outcomes of a sign-in. */
const pages: Readonly<Record<OwnVerdict['outcome'], PageName>> = {
  none: 'not-nudged',
  skippable: 'prompt',
  required: 'required',
  blocked: 'blocked',
};

function browserOn({ deviceId, browser }: Pick<OwnAttempt, 'deviceId' | 'browser'>): string {
  return `${deviceId} ${browser ?? 'no browser'}`;
}
