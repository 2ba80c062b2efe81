import { CookieJar } from 'tough-cookie';
import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import type { Cookies, DisplayedPage } from './application-browser.ts';
import { oidcServer } from './oidc-server.ts';
import { application, RelyingParty } from './relying-party.ts';
import { elsewhere, type Story, stories } from './tab-stories.ts';
import { jars, orders, Tab } from './tabs.ts';

describe('two tabs of one browser', () => {
  for (const [kind, makeJar, thinning] of nonEmpty(jars)) {
    it.each(nonEmpty(stories))(
      `$title: each ends at its own application, in ${kind}`,
      { timeout: 60_000 },
      async (story) => {
        const walk = await createWalk(story, makeJar);
        const { every = 1 } = story;
        const wrong: Record<string, string> = {};
        for (const [index, order] of orders(...story.steps).entries()) {
          if (index % (every * thinning) !== 0) continue;
          const { ends, trail } = await walk(order);
          if (!ends.every((end, tab) => story.endings[tab]?.test(end))) wrong[ends.join(' / ')] = trail;
        }
        expect(wrong).toEqual({});
      },
    );
  }
});

/**
 * Starts a server for a case. Returns a function that runs one order of its steps and returns the endings and pages
 * of both tabs.
 */
async function createWalk(story: Story, makeJar: () => Cookies) {
  const { clients = ['test-public', 'test-web'], before, settings, tenant } = story;
  const { issuer, sandbox } = await oidcServer(tenant === undefined ? {} : { tenant });
  if (settings !== undefined) await sandbox.directory.patchSettings(settings, 'control-api');
  const usual = { user: 'ada' };
  const [first, second] = await Promise.all([
    createParty(issuer, clients[0], application),
    createParty(issuer, clients[1], elsewhere),
  ]);
  return async (order: readonly boolean[]) => {
    const jar = makeJar();
    if (before !== undefined) await (await Tab.open({ user: before, party: first }, jar)).finish();
    const one = await Tab.open({ ...usual, ...story.first, party: first }, jar);
    const two = await Tab.open({ ...usual, ...story.second, party: second }, jar);
    for (const isSecond of order) await (isSecond ? two : one).step();
    await one.finish();
    await two.finish();
    const trail = `${order.map(Number).join('')}: ${one.pages.join(' ')} | ${two.pages.join(' ')}`;
    return { ends: [await one.ending(), await two.ending()], trail };
  };
}

/** Opens two tabs of the same browser, each for a user of a public application. */
async function twoTabs(parameters: readonly [object, object], clients: readonly [string, string]) {
  const { issuer, sandbox } = await oidcServer();
  const jar = new CookieJar();
  const [one, two] = await Promise.all(
    ([0, 1] as const).map(async (index) =>
      Tab.open(
        {
          party: await createParty(issuer, clients[index], application),
          user: 'ada',
          parameters: { ...parameters[index] },
        },
        jar,
      ),
    ),
  );
  if (one === undefined || two === undefined) throw new Error('There are two.');
  return { one, two, jar, issuer, sandbox };
}

describe('parallel tabs', () => {
  it('interaction-unknown: Back in a completed tab shows an error page, and the other tab continues', async () => {
    for (const stage of [1, 2, 3]) {
      const { one, two } = await twoTabs([{ prompt: 'login' }, { prompt: 'login' }], ['test-public', 'test-public']);
      const earlier: DisplayedPage[] = [];
      for (; !one.hasEnded; await one.step()) if (one.shown !== null) earlier.push(one.shown);
      for (let step = 0; step < stage; step += 1) await two.step();
      const code = one.shown?.address;
      for (const page of nonEmpty(earlier)) {
        one.back(page);
        await one.step();
        expect([one.shown?.status, one.page, errorCodeIn(one.shown)]).toEqual([404, 'problem', 'interaction-unknown']);
      }
      await two.finish();
      expect(await two.ending()).toBe('code of ada');
      expect(two.shown?.address).not.toBe(code);
    }
  });

  it('anti-forgery-token-invalid: a sign-in that completed for one application is invalid for another', async () => {
    const { one, two, issuer } = await twoTabs([{}, { prompt: 'login' }], ['test-public', 'test-web']);
    for (const _page of ['name', 'password', 'mfa']) await one.step();
    const ofFirst = one.shown;
    await one.finish();
    await two.step();
    const interaction = new URL(two.shown?.address ?? '').search;
    const form = ofFirst?.page?.forms[0];
    const address = new URL(form?.address ?? '', issuer).pathname;
    expect(errorCodeIn(await two.browser.load(`${issuer}${address}${interaction}`))).toBe('sign-in-not-found');
    if (ofFirst === null || ofFirst.page === null || form === undefined) throw new Error('There was a page.');
    const forged = { ...ofFirst, page: { ...ofFirst.page, forms: [{ ...form, address: `${address}${interaction}` }] } };
    const answered = await two.browser.press(forged, 'Verify', { Code: '123456' });
    expect([answered.status, errorCodeIn(answered)]).toEqual([403, 'anti-forgery-token-invalid']);
    await two.finish();
    expect(await two.ending()).toBe('code of ada');
  });

  it.each([
    ['a consent after a sign-in in the same tab', {}, 3],
    ['a consent by the session', { before: true }, 1],
    ['a picked account', { before: true, prompt: 'select_account' }, 1],
  ])(
    'a user who signs out in another tab has to sign in again: %s',
    async (_what, { before, ...parameters }: { before?: boolean }, steps) => {
      const { one, two, issuer } = await twoTabs([parameters, {}], ['test-consent', 'test-web']);
      if (before === true) await two.finish();
      for (let step = 0; step <= steps; step += 1) if (!/^(consent|account-picker)$/.test(one.page)) await one.step();
      expect(one.page).toMatch(/^(consent|account-picker)$/);
      await two.browser.press(await two.browser.load(`${issuer}/oauth2/end_session`), 'Sign out');
      const button = one.page === 'consent' ? 'Accept' : 'ada (ada@example.test)';
      if (one.shown === null) throw new Error('There is a page.');
      const labels = one.shown.page?.forms.flatMap(({ buttons }) => buttons).map(({ label }) => label) ?? [];
      const displayed = await one.browser.press(one.shown, labels.includes(button) ? button : (labels[0] ?? ''));
      expect([displayed.status, displayed.page?.name]).toEqual([200, 'name']);
      one.back(displayed);
      await one.finish();
      expect(await one.ending()).toBe('code of ada');
    },
  );

  it('a sign-in continues after a sign-out in another tab', async () => {
    const { one, two, issuer } = await twoTabs([{ prompt: 'login' }, {}], ['test-public', 'test-web']);
    await two.finish();
    for (const _page of ['name', 'password']) await one.step();
    await two.browser.press(await two.browser.load(`${issuer}/oauth2/end_session`), 'Sign out');
    await one.finish();
    expect(await one.ending()).toBe('code of ada');
  });
});

/** Returns the error code of a page, or `null` if it has none. */
function errorCodeIn(page: DisplayedPage | null): string | null {
  return /data-error="([^"]+)"/.exec(page?.text ?? '')?.[1] ?? null;
}

async function createParty(issuer: string, id: string, redirectUri: string): Promise<RelyingParty> {
  return RelyingParty.discover(issuer, { id, redirectUri, ...(id === 'test-web' ? { secret: 'test-secret' } : {}) });
}
