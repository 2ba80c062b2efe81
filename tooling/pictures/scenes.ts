import { playFirstMinute } from './first-minute.ts';
import { ada, officeTenant, type Scene, signIn } from './scene.ts';

/** A user whom the campaign excludes. */
const grace = { id: 'grace', displayName: 'Grace Hopper', methods: ['sms'], groups: ['contractors'] } as const;

/** Pictures of the README and the documentation site. */
export const scenes: readonly Scene[] = [
  {
    name: 'prompt',
    window: { width: 560, height: 440 },
    play: async (page, { baseUrl, createSandbox }, id, take) => {
      const path = await createSandbox(id, { tenant: officeTenant, users: [ada] });
      await signIn(page, `${baseUrl}${path}/sign-in`, 'ada@example.test');
      await page.locator('[data-page=prompt]').waitFor();
      await page.mouse.move(0, 0);
      await take({ part: page.locator('body') });
    },
  },
  {
    name: 'explain',
    window: { width: 1_280, height: 900 },
    play: async (page, { baseUrl, createSandbox }, id, take) => {
      await createSandbox(id, { tenant: officeTenant, users: [ada, grace], frozen: true });
      await page.goto(`${baseUrl}/_console/s/${id}/users/grace`);
      await page.getByText('Not prompted:').waitFor();
      await take({ part: page.getByRole('region', { name: 'Explain verdict' }), heightMax: 540 });
    },
  },
  {
    name: 'forecast',
    window: { width: 960, height: 800 },
    play: async (page, { forecastReport }, _id, take) => {
      await page.goto(forecastReport());
      await take({ part: page.locator('#users svg[role=img]'), margin: 4 });
    },
  },
  {
    name: 'failure',
    window: { width: 860, height: 900 },
    play: async (page, { failedReport }, _id, take) => {
      await page.goto(failedReport());
      await take({ part: page.locator('article.failed').first() });
    },
  },
  {
    name: 'first-minute',
    isRecording: true,
    window: { width: 880, height: 620 },
    play: playFirstMinute,
  },
];
