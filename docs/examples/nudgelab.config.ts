/** The configuration of the example. In another repository, import the type from 'nudgelab'. */
import type { NudgeLabConfig } from '../../src/index.ts';

export default {
  scenarios: 'scenarios',
  drivers: { own: { module: './own-driver.ts' } },
} satisfies NudgeLabConfig;
