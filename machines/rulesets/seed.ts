import { campaignLimits } from '../campaign-limits.ts';
import type { Ruleset } from '../vocabulary.ts';
import { row } from './matrix.ts';

/** Ruleset with the rules of the specification. Cells that it omits follow the public documentation of May 2026. */
export const seedRuleset: Ruleset = {
  id: 'seed',
  order: [
    'C1',
    'S1',
    'S2',
    'S3',
    'R13.1',
    'R1',
    'R3',
    'R13.2',
    'R13.3',
    'R4',
    'R13.4',
    'R13.5',
    'R13.6',
    'R10.4',
    'R11.4',
    'R11.6',
    'R11.9',
    'R11.5',
    'R10.5',
    'R10.2',
    'R10.3',
    'R11.1',
    'R11.2',
    'R11.7',
    'R10.1',
    'R11.3',
    'R5',
  ],
  matrix: {
    //                                windows-chrome, windows-other, mac-chrome, mac-other, ios, android
    'windows-hello-for-business': row(1, 1, 0, 0, 0, 0),
    'windows-bound': row(1, 1, 0, 0, 0, 0),
    'password-manager': row(1, 0, 1, 0, 0, 1),
    keychain: row(0, 0, 1, 1, 1, 0),
    'mac-platform-sso': row(0, 0, 1, 1, 0, 0),
    'handset-vendor': row(0, 0, 0, 0, 0, 1),
    'authenticator-app': row(1, 1, 1, 1, 1, 1),
    'security-key': row(1, 1, 1, 1, 1, 1),
  },
  profiles: 'restrictions',
  providerManaged: {
    snoozeDays: { by: 'switch', before: 3, after: 1 },
    limited: { by: 'switch', before: true, after: false },
  },
  limits: campaignLimits,
};
