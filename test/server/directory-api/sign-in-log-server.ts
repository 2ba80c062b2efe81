import { afterEach, beforeEach, expect } from 'vitest';
import type { AttemptInput } from '../../../src/contract/context.schema.ts';
import type { SignInOrigin } from '../../../src/journal/journal-event.ts';
import type { SignInView } from '../../../src/sandbox/sandbox.ts';
import { appCampaign, startMs } from '../../journal/signing-in.ts';
import { DirectoryServer } from './directory-server.ts';

export const signInsPath = '/beta/auditLogs/signIns';

export type Row = Readonly<Record<string, unknown>>;

/** Server with two users for each test of a file, and its sign-in log. */
export class SignInLog {
  /** Server of the current test. */
  server!: DirectoryServer;

  /** Starts the server before each test, and stops it afterward. */
  constructor() {
    beforeEach(() => this.start());
    afterEach(() => this.server.stop());
  }

  /** Starts another server with settings of the directory API and further settings. */
  async start(directory: object = {}, more: object = {}): Promise<void> {
    this.server = await DirectoryServer.start({
      clock: { nowMs: startMs, running: false },
      tenant: { ...appCampaign, subscription: 'paid' },
      settings: {
        context: { namedLocations: ['office'], compliantDevices: ['laptop'] },
        directory,
        ...more,
      },
      users: [
        { id: 'ada', displayName: 'Ada', methods: ['sms'] },
        { id: 'guest', type: 'guest', methods: ['sms'], userPrincipalName: 'guest@home.test' },
      ],
    });
  }

  /** Signs a user in up to the screen that follows the evaluation. */
  async signIn(
    attempt: AttemptInput = {},
    { user = 'ada', origin }: { readonly user?: string; readonly origin?: SignInOrigin } = {},
  ): Promise<SignInView> {
    const { signIns } = this.server.sandbox;
    let view = await signIns.start(user, attempt, origin);
    if (view.screen === 'password') view = await signIns.acceptPassword(view.id);
    if (view.screen === 'mfa' || view.screen === 'externalMfa') view = await signIns.completeMfa(view.id);
    return view;
  }

  /** Signs in and skips the prompt if there is one. */
  async skip(attempt: AttemptInput = {}, more: Parameters<SignInLog['signIn']>[1] = {}): Promise<SignInView> {
    const view = await this.signIn(attempt, more);
    return view.screen === 'prompt' ? this.server.sandbox.signIns.skip(view.id) : view;
  }

  /** Returns the rows of the log. */
  async rows(query = '', options: Parameters<DirectoryServer['ask']>[1] = {}): Promise<readonly Row[]> {
    const { status, body, text } = await this.server.ask(`${signInsPath}${query}`, options);
    expect([status, text]).toEqual([200, text]);
    return body.value ?? [];
  }

  /** Returns the first row of the log. */
  async firstRow(query = ''): Promise<Row> {
    const [row] = await this.rows(query);
    if (row === undefined) throw new Error('The log is empty.');
    return row;
  }
}
