import { beforeEach, describe, expect, test } from 'vitest';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { shareInFile } from '../share-in-file.ts';
import { bearer, good, startLookupSite } from './lookup-site.ts';

const site = shareInFile(() => startLookupSite());

beforeEach(async () => {
  await site.sandboxes.reset('default');
});

/** Browser on the token page. It stores one cookie and the anti-forgery token of the last form. */
class Browser {
  cookie = '';
  formToken = '';
  html = '';
  readonly #address: string;

  constructor(prefix = '') {
    this.#address = `${site.baseUrl}${prefix}/lookup/tokens`;
  }

  async get(): Promise<number> {
    return this.#read(await fetch(this.#address, { headers: { cookie: this.cookie } }));
  }

  async post(
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const body = new URLSearchParams({ formToken: this.formToken, ...fields });
    const sent = { cookie: this.cookie, ...headers };
    return this.#read(await fetch(this.#address, { method: 'POST', body, headers: sent }));
  }

  signIn(email = 'free@example.test', password = 'correct horse'): Promise<number> {
    return this.post({ action: 'sign-in', email, password });
  }

  /** Stable name of the current page. */
  get page(): string {
    return /data-page="([^"]+)"/.exec(this.html)?.[1] ?? '';
  }

  get shownToken(): string | null {
    return /<code data-token>([^<]+)</.exec(this.html)?.[1] ?? null;
  }

  async #read(answer: Response): Promise<number> {
    this.html = await answer.text();
    this.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? this.cookie;
    this.formToken = /name="formToken" value="([^"]+)"/.exec(this.html)?.[1] ?? this.formToken;
    return answer.status;
  }
}

describe('token page', () => {
  test('L6: an account signs in, issues a token, sees it once, and uses it', async () => {
    const browser = new Browser();
    expect([await browser.get(), browser.page]).toEqual([200, 'lookup-sign-in']);
    expect([await browser.signIn(), browser.page]).toEqual([200, 'lookup-tokens']);
    await browser.post({ action: 'issue', name: 'My <script>' });
    const token = browser.shownToken ?? '';
    expect(browser.html).not.toContain('<script>');
    expect((await site.ask(good, { headers: bearer(token) })).status).toBe(200);
    await browser.get();
    expect(browser.shownToken).toBeNull();
    expect(browser.html).not.toContain(token);
    expect(JSON.stringify(await site.sandbox.journal({ after: 0, limit: 100 }))).not.toContain(token);
  });

  test.for(['', '/s/demo'])('L6: the page below "%s" shows the address of the API there', async (prefix) => {
    if (!site.sandboxes.has('demo')) await site.sandboxes.create('demo', planSandbox({}));
    const browser = new Browser(prefix);
    await browser.signIn();
    await browser.post({ action: 'issue', name: 'mine' });
    expect(/[^"<>\s]*(?=\/api\/v2\/)/.exec(browser.html)?.[0]).toBe(prefix);
  });

  test('L6: a token is renamed and revoked', async () => {
    const browser = new Browser();
    await browser.signIn();
    await browser.post({ action: 'issue', name: 'first' });
    const secret = browser.shownToken ?? '';
    const id = /name="token" value="([^"]+)"/.exec(browser.html)?.[1] ?? '';
    await browser.post({ action: 'rename', token: id, name: 'second' });
    expect(browser.html).toContain('second');
    expect(await browser.post({ action: 'rename', token: id, name: ' ' })).toBe(400);
    await browser.post({ action: 'revoke', token: id });
    expect((await site.ask(good, { headers: bearer(secret) })).status).toBe(401);
  });

  test('anti-forgery-token-invalid: resubmitting a form issues no second token', async () => {
    const browser = new Browser();
    await browser.signIn();
    const { formToken } = browser;
    await browser.post({ action: 'issue', name: 'one' });
    expect(await browser.post({ formToken, action: 'issue', name: 'one' })).toBe(403);
    expect(site.sandbox.lookup.administration.tokens('free')).toHaveLength(1);
  });

  test.for([
    ['free@example.test', 'wrong'],
    ['nobody@example.test', 'correct horse'],
    ['suspended@example.test', 'correct horse'],
    ['', ''],
  ] as const)('L6: the credentials %s and %s are rejected', async ([email, password]) => {
    const browser = new Browser();
    expect([await browser.signIn(email, password), browser.page]).toEqual([401, 'lookup-sign-in']);
    expect(browser.cookie).toBe('');
  });

  test('L6: the tokens of another account cannot be changed', async () => {
    const browser = new Browser();
    await browser.signIn();
    expect(await browser.post({ action: 'revoke', token: 'test' })).toBe(404);
    expect((await site.ask(good)).status).toBe(200);
  });

  test('L6: a session ends after an hour, when its password changes, and on sign-out', async () => {
    const browser = new Browser();
    await browser.signIn();
    await site.sandbox.clock.advance({ minutes: 61 });
    await browser.get();
    expect(browser.page).toBe('lookup-sign-in');
    await browser.signIn();
    await site.sandbox.lookup.administration.putAccount('free', { password: 'new word' });
    await browser.get();
    expect(browser.page).toBe('lookup-sign-in');
    await browser.signIn('free@example.test', 'new word');
    await browser.post({ action: 'sign-out' });
    await browser.get();
    expect(browser.page).toBe('lookup-sign-in');
  });

  test('068: a sign-out ends the session on the server, including copies of its cookie, and no other session', async () => {
    const [browser, copy, other] = [new Browser(), new Browser(), new Browser()];
    await browser.signIn();
    await other.signIn();
    copy.cookie = browser.cookie;
    await copy.get();
    expect(copy.page).toBe('lookup-tokens');
    await browser.post({ action: 'sign-out' });
    await copy.get();
    expect(copy.page).toBe('lookup-sign-in');
    await copy.post({ action: 'issue', name: 'too late' });
    expect(site.sandbox.lookup.administration.tokens('free')).toEqual([]);
    await other.get();
    expect(other.page).toBe('lookup-tokens');
  });

  test('origin-not-allowed: a page of another origin cannot submit a form', async () => {
    const browser = new Browser();
    await browser.signIn();
    expect(await browser.post({ action: 'issue', name: 'one' }, { origin: 'https://elsewhere.example' })).toBe(403);
    expect(await browser.post({ action: 'issue', name: 'one', formToken: 'guessed' })).toBe(403);
    expect(site.sandbox.lookup.administration.tokens('free')).toEqual([]);
  });
});
