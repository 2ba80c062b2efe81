import { CookieJar } from 'tough-cookie';
import type { Verdict } from '../../../machines/vocabulary.ts';
import {
  type CampaignStepKind,
  campaignStepKinds,
  defaultPasskeyType,
  type PageName,
  pageNames,
  type Step,
  type StepKind,
  type StepOf,
} from '../../contract/scenario.schema.ts';
import { parseInstant, toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { listRowsMax } from '../../core/limits.ts';
import type { Driver, DriverSession, JournalEntry, Observation, ObservedLedger } from '../driver.ts';
import { refusePasskeyForApp } from '../pages.ts';
import type { Scenario } from '../scenario.ts';
import { promptNameOf } from '../step-check.ts';
import { Tabs } from '../tabs.ts';
import { invalidToken, tokenRequestOf } from '../token-request.ts';
import { BrowserSession, type Shown } from './http/browser-client.ts';
import { ControlClient, jsonOf } from './http/control-client.ts';
import { HttpClient } from './http/http-client.ts';

/** Where the server is; both without a slash at the end. */
export interface HttpDriverOptions {
  readonly controlUrl: string;
}

interface Tab {
  readonly browser: BrowserSession;
  readonly os: string | undefined;
  readonly deviceId: string | undefined;
}

type Handlers = { readonly [K in CampaignStepKind]: (step: StepOf<K>) => Promise<Observation> };

/**
 * Runs scenarios against a server over HTTP: it walks the pages as a browser would, and reads page, skippability, error and
 * result from the HTML alone. Each scenario has a sandbox of its own.
 */
export class HttpDriver implements Driver {
  readonly name = 'http';
  readonly can: ReadonlySet<StepKind> = new Set(campaignStepKinds);
  readonly #client = new HttpClient();
  readonly #control: ControlClient;

  constructor({ controlUrl }: HttpDriverOptions) {
    this.#control = new ControlClient(this.#client, controlUrl);
  }

  async open({ plan }: Scenario): Promise<DriverSession> {
    const { tenant, users, seed, ruleset } = plan;
    const clock = { now: toInstant(plan.clock.nowMs), running: plan.clock.running };
    const { id, baseUrl } = await this.#control.ask('POST', '/sandboxes', { tenant, users, clock, seed, ruleset });
    return new HttpSession(this.#client, this.#control, `/sandboxes/${String(id)}`, String(baseUrl), plan.users);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

class HttpSession implements DriverSession {
  readonly #client: HttpClient;
  readonly #control: ControlClient;
  readonly #path: string;
  readonly #baseUrl: string;
  readonly #users: Scenario['plan']['users'];
  readonly #tabs = new Tabs<Tab>();
  readonly #jar = new CookieJar();

  constructor(
    client: HttpClient,
    control: ControlClient,
    path: string,
    baseUrl: string,
    users: Scenario['plan']['users'],
  ) {
    this.#client = client;
    this.#control = control;
    this.#path = path;
    this.#baseUrl = baseUrl;
    this.#users = users;
  }

  perform(step: Step): Promise<Observation> {
    const handler = this.#handlers[step.kind as CampaignStepKind] as (step: Step) => Promise<Observation>;
    return handler(step);
  }

  async verdict(signInId: string): Promise<Verdict | null> {
    const { verdict } = await this.#ask('GET', `/sign-ins/${encodeURIComponent(signInId)}`);
    return (verdict ?? null) as Verdict | null;
  }

  async ledger(userId: string): Promise<ObservedLedger> {
    const { ledger } = await this.#ask('GET', this.#user(userId));
    const { state, snoozes, snoozesLeft, nextPromptAt } = ledger as LedgerOnTheWire;
    return { state, snoozes, snoozesLeft, nextPromptAtMs: nextPromptAt === null ? null : parseInstant(nextPromptAt) };
  }

  async journal(): Promise<readonly JournalEntry[]> {
    const entries: JournalEntry[] = [];
    for (let after = 0; ; ) {
      const page = await this.#ask('GET', `/journal?after=${after}&limit=${listRowsMax}`);
      const rows = page['entries'] as readonly JournalEntry[];
      entries.push(...rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < listRowsMax) return entries;
      after = last.seq;
    }
  }

  async close(): Promise<void> {
    await this.#ask('DELETE', '');
  }

  readonly #handlers: Handlers = {
    signIn: async ({ say: { user, as, ...attempt } }) => {
      if (Object.keys(attempt).length > 0) await this.#ask('POST', `${this.#user(user)}/next-sign-in`, attempt);
      const browser = new BrowserSession({ client: this.#client, baseUrl: this.#baseUrl, jar: this.#jar });
      this.#tabs.open(as ?? user, { browser, os: attempt.os, deviceId: attempt.deviceId });
      const { userPrincipalName: name, password, code } = this.#profile(user);
      const shown = await browser.signIn({ name, password, code });
      return { ...seen(shown), outcome: outcomeSeen(shown) };
    },
    next: (step) => this.#answer(step, ({ browser }) => browser.next()),
    skip: (step) => this.#answer(step, ({ browser }) => browser.skip()),
    skipError: (step) => this.#answer(step, ({ browser }) => browser.skipError()),
    failRegistration: (step) => this.#answer(step, ({ browser }) => browser.failRegistration()),
    register: (step) => this.#answer(step, (tab) => register(step, tab)),
    closeBrowser: (step) => this.#answer(step, ({ browser }) => browser.close()),
    abandon: async (step) => ({ ...idOf(this.#tabs.get(promptNameOf(step)).browser.page()), page: 'closed' }),
    advance: ({ say }) => this.#tell('POST', '/clock/advance', say),
    setClock: ({ say }) => this.#tell('PUT', '/clock', { now: say }),
    setTenant: ({ say }) => this.#tell('PATCH', '/tenant', say),
    setUser: ({ say: { user, ...patch } }) => this.#tell('PATCH', this.#user(user), patch),
    removeMethod: ({ say: { user, method } }) => this.#tell('DELETE', `${this.#user(user)}/methods/${method}`),
    getPolicy: (step) => this.#policy('GET', step),
    patchPolicy: (step) => this.#policy('PATCH', step),
    explain: async ({ say: { user, ...attempt } }) => {
      const explained = (await this.#ask('POST', '/explain', { user, attempt })) as unknown as Verdict;
      return { explained, outcome: explained.outcome };
    },
  };

  async #answer(step: Step, act: (tab: Tab) => Promise<Shown>): Promise<Observation> {
    return seen(await act(this.#tabs.get(promptNameOf(step))));
  }

  async #tell(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Observation> {
    await this.#ask(method, path, body);
    return {};
  }

  async #policy(method: 'GET' | 'PATCH', { say }: StepOf<'getPolicy' | 'patchPolicy'>): Promise<Observation> {
    const answer = await this.#client.send({
      method,
      url: `${this.#baseUrl}/v1.0/policies/authenticationmethodspolicy`,
      headers: { ...(await this.#authorization(say.as)), 'content-type': 'application/json', ...say.headers },
      ...(method === 'PATCH' ? { body: JSON.stringify(say.body ?? {}) } : {}),
    });
    return { status: answer.status, headers: textHeaders(answer.headers), body: jsonOf(answer) };
  }

  async #authorization(description: StepOf<'getPolicy'>['say']['as']): Promise<Record<string, string>> {
    const request = tokenRequestOf(description);
    if (request === null) return {};
    if (request === invalidToken) return { authorization: `Bearer ${invalidToken}` };
    const { access_token: token } = await this.#ask('POST', '/tokens', request);
    return { authorization: `Bearer ${String(token)}` };
  }

  #ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Record<string, unknown>> {
    return this.#control.ask(method, `${this.#path}${path}`, body);
  }

  #user(userId: string): string {
    return `/users/${encodeURIComponent(userId)}`;
  }

  #profile(userId: string): Scenario['plan']['users'][number] {
    const user = this.#users.find(({ id }) => id === userId);
    if (user !== undefined) return user;
    throw new NudgeLabError('driver-failed', { message: `The scenario gives no user "${userId}".` });
  }
}

interface LedgerOnTheWire extends Omit<ObservedLedger, 'nextPromptAtMs'> {
  readonly nextPromptAt: string | null;
}

async function register(step: StepOf<'register'>, { browser, os, deviceId }: Tab): Promise<Shown> {
  if (browser.page().page !== 'setup') await browser.next();
  const asksForPasskey = browser.asksFor('Kind of passkey');
  if (browser.page().page !== 'setup') return browser.page();
  refusePasskeyForApp(step, asksForPasskey ? 'fido2' : 'vendorAuthenticator');
  if (!asksForPasskey) return browser.register(null);
  const { passkey } = step.say;
  return browser.register({
    type: passkey?.type ?? defaultPasskeyType(os),
    deviceId: passkey?.deviceId ?? deviceId ?? 'device-1',
  });
}

function seen(shown: Shown): Observation {
  return { page: pageName(shown), passed: shown.interstitials.map(asPage), ...idOf(shown), status: shown.status };
}

function idOf({ signInId }: Shown): { readonly signInId?: string } {
  return signInId === null ? {} : { signInId };
}

/** What a sign-in ended at, read from the page: its name, and whether it has a way to put the prompt off. */
function outcomeSeen({ page, skippable }: Shown): 'none' | 'skippable' | 'required' {
  if (page !== 'prompt' && page !== 'required') return 'none';
  return skippable === true ? 'skippable' : 'required';
}

function pageName({ page, error }: Shown): PageName {
  if ((pageNames as readonly string[]).includes(page)) return page as PageName;
  throw new NudgeLabError('driver-failed', {
    message: `The step ended at the page "${page}"${error === null ? '' : `, which says: ${error}`}.`,
  });
}

function asPage(page: string): PageName {
  return pageName({ page, error: null } as Shown);
}

function textHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
