import type { AttemptFacts, Surface } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface SurfaceFacts {
  readonly attempt: Pick<AttemptFacts, 'surface'>;
}

const unsupported: readonly Surface[] = ['oobe', 'embedded-os-settings'];

/** R13.6: no nudge in an out-of-box experience or a browser view embedded in OS settings; other embedded views are fine. */
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
