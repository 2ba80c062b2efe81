import type { AttemptFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface CustomControlsFacts {
  readonly attempt: Pick<AttemptFacts, 'customControls'>;
}

/** R13.5: A redirect by conditional access custom controls suppresses the prompt. */
export const customControlsRule: Rule<CustomControlsFacts> = {
  id: 'R13.5',
  summary: 'Conditional access custom controls do not redirect this sign-in.',
  source: ['R13.5'],
  appliesTo: 'both',
  reads: ['attempt.customControls'],
  reasons: ['custom-controls'],
  evaluate: ({ attempt }) => {
    const saw = { customControls: attempt.customControls };
    return attempt.customControls ? stopped('custom-controls', saw) : met(saw);
  },
};
