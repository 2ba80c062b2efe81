import type { AttemptPatch } from '../../src/contract/facts.schema.ts';
import type { PageLanguage } from '../../src/contract/page-controls.ts';
import { inMemory, planSandbox, type Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { RequestLog } from '../../src/server/request-log.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { campaignFor } from './identity-server.ts';
import { Visitor } from './visitor.ts';

/** What the sandbox of a visit is made from; a campaign for the app is on unless it says otherwise. */
export interface Surroundings extends Omit<SandboxInput, 'users'> {
  /** Facts and profile of the one who signs in, Ada. */
  readonly user?: object;
  /** Facts of her first sign-in. */
  readonly attempt?: AttemptPatch;
}

/** A server whose visitors have a sandbox each, so that none finds what another left. */
export interface Site {
  readonly server: RunningServer;
  readonly sandboxes: Sandboxes;
  readonly requestLog: RequestLog;
  visitor(surroundings?: Surroundings): Promise<Visitor>;
  /** Another browser before the same sandbox. */
  visitorOf(sandbox: Sandbox): Visitor;
  close(): Promise<void>;
}

/** Campaigns by the method that they ask for. */
export const appCampaign = campaignFor('vendorAuthenticator');
export const passkeyCampaign = campaignFor('fido2');

/** Starts a server on a free port. Takes the language of its tenants. */
export async function startSite(language: PageLanguage = 'en'): Promise<Site> {
  const sandboxes = await Sandboxes.open(inMemory());
  await sandboxes.create('default', planSandbox({ tenant: appCampaign, users: [{ id: 'ada' }] }));
  const requestLog = new RequestLog();
  const server = await startServer({ sandboxes, port: 0, requestLog });
  let visitors = 0;
  return {
    server,
    sandboxes,
    requestLog,
    async visitor({ user = {}, attempt, ...input } = {}) {
      visitors += 1;
      const users = [{ id: 'ada', displayName: 'Ada Lovelace', ...user }];
      const sandbox = await sandboxes.create(
        `visit-${visitors}`,
        planSandbox({
          tenant: appCampaign,
          ...input,
          settings: { language, ...(input.settings as object | undefined) },
          users,
        }),
      );
      if (attempt !== undefined) await sandbox.directory.setNextSignIn('ada', attempt);
      return new Visitor(sandbox);
    },
    visitorOf: (sandbox) => new Visitor(sandbox),
    async close() {
      await server.close();
      await sandboxes.close();
    },
  };
}
