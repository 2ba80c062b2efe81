import type { AttemptPatch } from '../../src/contract/facts.schema.ts';
import type { PageLanguage } from '../../src/contract/page-controls.ts';
import { inMemory, planSandbox, type Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { RequestLog } from '../../src/server/request-log.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { campaignFor } from './identity-server.ts';
import { Visitor } from './visitor.ts';

/** Input for the sandbox of a visit. By default it has an enabled campaign for the authenticator app. */
export interface Surroundings extends Omit<SandboxInput, 'users'> {
  /** Facts and profile of the user who signs in, Ada. */
  readonly user?: object;
  /** Facts of Ada’s first sign-in. */
  readonly attempt?: AttemptPatch;
}

/** Server with a separate sandbox for each visitor, so visits do not affect each other. */
export interface Site {
  readonly server: RunningServer;
  /** Language of its tenants. */
  readonly language: PageLanguage;
  readonly sandboxes: Sandboxes;
  readonly requestLog: RequestLog;
  visitor(surroundings?: Surroundings): Promise<Visitor>;
  /** Creates another browser for the same sandbox. */
  createVisitor(sandbox: Sandbox): Visitor;
  close(): Promise<void>;
}

/** Campaigns that prompt all users for the authenticator app or for a passkey. */
export const appCampaign = campaignFor('vendorAuthenticator');
export const passkeyCampaign = campaignFor('fido2');

/** Starts a server on a free port. `language` is the language of its tenants. */
export async function startSite(language: PageLanguage = 'en'): Promise<Site> {
  const sandboxes = await Sandboxes.open(inMemory());
  await sandboxes.create('default', planSandbox({ tenant: appCampaign, users: [{ id: 'ada' }] }));
  const requestLog = new RequestLog();
  const server = await startServer({ sandboxes, port: 0, requestLog });
  let visitors = 0;
  return {
    server,
    language,
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
    createVisitor: (sandbox) => new Visitor(sandbox),
    async close() {
      await server.close();
      await sandboxes.close();
    },
  };
}
