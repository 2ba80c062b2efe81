import type { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import type { HttpClient } from '../../src/scenario/drivers/http/http-client.ts';
import { HttpPages } from '../../src/scenario/drivers/http/http-pages.ts';
import type { Credentials, DisplayedPage } from '../../src/scenario/drivers/pages/sign-in-flow.ts';

/** HTTP client for one tab in which a test signs in and completes the prompt. */
export class HttpTab {
  readonly pages: HttpPages;

  constructor(options: { readonly client: HttpClient; readonly baseUrl: string }) {
    this.pages = new HttpPages(options);
  }

  signIn(credentials: Credentials): Promise<DisplayedPage> {
    return this.pages.flow.signIn(this.pages.signInUrl, credentials);
  }

  /** Id of the sign-in that the tab shows. */
  get signInId(): string {
    return this.pages.flow.signInId ?? '';
  }

  next = (): Promise<DisplayedPage> => this.pages.flow.next();
  skip = (): Promise<DisplayedPage> => this.pages.flow.skip();
  skipError = (): Promise<DisplayedPage> => this.pages.flow.skipError();
  reload = (): Promise<DisplayedPage> => this.pages.flow.reload();

  async close(): Promise<{ readonly status: number }> {
    await this.pages.leave();
    return { status: this.pages.status };
  }

  async failRegistration(): Promise<DisplayedPage> {
    await this.pages.flow.reachSetup();
    return this.pages.flow.failSetup();
  }

  /**
   * Registers the method from the current screen of the prompt, with the created passkey or `null` for the
   * authenticator app.
   */
  async register(
    passkey: { readonly authenticator: SoftwareAuthenticator; readonly deviceId: string } | null,
  ): Promise<DisplayedPage> {
    const { flow } = this.pages;
    if ((await flow.reachSetup()) === null) return flow.display();
    if (passkey === null) return flow.registerApp();
    const { authenticator, deviceId } = passkey;
    return flow.registerPasskey(async () => {
      await this.pages.runCeremony('make-passkey', 'create', authenticator, { deviceId });
    });
  }
}
