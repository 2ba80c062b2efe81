import { describe, expect, it } from 'vitest';
import { shareInFile } from '../share-in-file.ts';
import { startSite } from './site.ts';

const site = shareInFile(() => startSite());

describe('notes for testers in the footer', () => {
  it('a frozen clock is shown with the command that resumes it, and a running clock is not', async () => {
    const visitor = await (await site.visitor()).load();
    const note = 'The virtual clock is frozen at <code dir="ltr">2026-01-05T09:00:00.000Z</code>.';
    expect(visitor.shown.text).toContain(note);
    expect(visitor.shown.text).toContain(`nudgelab clock resume --sandbox ${visitor.sandbox.id}`);
    await visitor.sandbox.clock.set({ running: true });
    await visitor.load();
    expect(visitor.shown.text).not.toContain('frozen');
  });

  it('showVerdict adds the reason to the last page only', async () => {
    const settings = { showVerdict: true };
    const visitor = await (await site.visitor({ settings, attempt: { ssoSession: true } })).load();
    expect(visitor.shown.text).not.toContain('data-verdict');
    await visitor.signIn();
    expect(visitor.page.name).toBe('not-nudged');
    expect(visitor.shown.text).toContain(
      'Not prompted: the user is already signed in through SSO. (R13.1, sso-session)',
    );
  });

  it('without showVerdict the last page has no reason', async () => {
    const visitor = await (await site.visitor({ attempt: { ssoSession: true } })).signIn();
    expect(visitor.page.name).toBe('not-nudged');
    expect(visitor.shown.text).not.toContain('data-verdict');
  });

  it('GET /_control/v1 lists paths that exist', async () => {
    const url = site.server.baseUrl;
    const index = (await (await fetch(`${url}/_control/v1`)).json()) as Record<string, unknown>;
    const { apis, version, ...paths } = index as { apis: Record<string, string>; version: string };
    const listed = [...Object.values(apis), ...Object.values(paths as Record<string, string>)];
    expect([typeof version, listed.length]).toEqual(['string', 9]);
    const statuses = await Promise.all(listed.map(async (path) => [path, (await fetch(`${url}${path}`)).status]));
    expect(statuses).toEqual(listed.map((path) => [path, path === '/_console' ? expect.any(Number) : 200]));
  });
});
