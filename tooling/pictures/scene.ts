import type { Locator, Page } from 'playwright-core';
import type { PictureStage } from './stage.ts';

/** Part of a page to take. */
export interface Frame {
  /** Element to show. A frame of a recording shows the window, and is drawn from this element. */
  readonly part: Locator;
  /** Pixels of the element that a picture shows, from its top. Without it, the whole element is shown. */
  readonly heightMax?: number;
  /** Pixels of the page around the element. */
  readonly margin?: number;
  /** Sentence below a frame of a recording. */
  readonly caption?: string;
  /** Time for which a recording shows the frame. */
  readonly seconds?: number;
}

/** Takes a frame of a page in its current state. */
export type TakeFrame = (frame: Frame) => Promise<void>;

/** A picture in docs/pictures/, in a light and a dark version. */
export interface Scene {
  /** File name without color scheme and suffix. */
  readonly name: string;
  readonly isRecording?: boolean;
  readonly window: { readonly width: number; readonly height: number };
  /**
   * Opens the page and takes the frames.
   *
   * @param id name for a sandbox, different for each call
   */
  readonly play: (page: Page, stage: PictureStage, id: string, take: TakeFrame) => Promise<void>;
}

/** Campaign that prompts all users except contractors for the authenticator app. */
export const officeTenant = {
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 1,
    enforceRegistrationAfterAllowedSnoozes: true,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
    excludeTargets: [{ targetType: 'group', id: 'contractors' }],
  },
} as const;

/** A user whom it prompts. */
export const ada = { id: 'ada', displayName: 'Ada Lovelace', methods: ['sms'] } as const;

/** Signs in with username, password and code. */
export async function signIn(page: Page, address: string, userName: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Username').fill(userName);
  await page.locator('[data-control=next]').click();
  await page.locator('[data-control=password]').fill('correct horse');
  await page.locator('[data-control=submit-password]').click();
  await page.locator('[data-control=code]').fill('123456');
  await page.locator('[data-control=verify-code]').click();
}
