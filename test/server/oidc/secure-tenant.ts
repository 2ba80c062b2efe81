import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { CookieJar } from 'tough-cookie';
import { Agent } from 'undici';
import { onTestFinished } from 'vitest';
import { type LocalCertificate, localCertificate } from '../../../src/server/https-certificate.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';
import { ApplicationBrowser } from './application-browser.ts';
import { application } from './relying-party.ts';
import { type TenantServer, tenantId, tenantServer } from './tenant-server.ts';

/** HTTPS server with a tenant, whose certificate this process trusts. */
export interface SecureTenant extends TenantServer {
  readonly authority: string;
  readonly host: string;
  readonly certificate: LocalCertificate;
  /** Values that replace those of the examples in guides. */
  readonly values: Readonly<Record<string, string>>;
  /** Creates a browser that trusts the certificate. */
  openBrowser(applicationUrl?: string): ApplicationBrowser;
}

/** Starts an HTTPS server at the real time. Client libraries trust its certificate as with `NODE_EXTRA_CA_CERTS`. */
export async function secureTenant(
  setup: Readonly<Record<string, unknown>> = {},
  given?: LocalCertificate,
): Promise<SecureTenant> {
  const certificate = given ?? (await localCertificate(temporaryFolder()));
  const ca = readFileSync(certificate.authorityPath, 'utf8');
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, ca]);
  onTestFinished(() => setDefaultCACertificates(before));
  const server = await tenantServer({ tls: certificate, clock: { nowMs: Date.now(), running: true }, ...setup });
  const { host } = new URL(server.serverUrl);
  const agent = new Agent({ connect: { ca } });
  onTestFinished(() => agent.close());
  return {
    ...server,
    authority: server.at(),
    host,
    certificate,
    values: { 'localhost:4700': host, [tenantId]: tenantId },
    openBrowser: (applicationUrl = new URL(application).origin) =>
      new ApplicationBrowser({ application: applicationUrl, jar: new CookieJar(), dispatcher: agent }),
  };
}
