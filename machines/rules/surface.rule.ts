import type { AttemptFacts, Surface } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface SurfaceFacts {
  readonly attempt: Pick<AttemptFacts, 'surface'>;
}

const unsupported: readonly Surface[] = ['oobe', 'embedded-os-settings'];

/**
 * R13.6: No prompt is shown in an out-of-box experience or in a browser view embedded in OS settings. Other
 * embedded views are supported.
 */
export const surfaceRule: Rule<SurfaceFacts> = {
  id: 'R13.6',
  summary: 'The sign-in is not in an out-of-box experience or a browser view embedded in OS settings.',
  source: ['R13.6'],
  appliesTo: 'both',
  reads: ['attempt.surface'],
  reasons: ['unsupported-surface'],
  evaluate: ({ attempt }) => {
    const saw = { surface: attempt.surface };
    return unsupported.includes(attempt.surface) ? stopped('unsupported-surface', saw) : met(saw);
  },
};
