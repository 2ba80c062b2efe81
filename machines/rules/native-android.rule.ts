import type { AttemptFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface NativeAndroidFacts {
  readonly attempt: Pick<AttemptFacts, 'os' | 'surface'>;
}

/** R11.4: Native Android apps are not supported. An embedded browser view in an Android app is supported (A36). */
export const nativeAndroidRule: Rule<NativeAndroidFacts> = {
  id: 'R11.4',
  summary: 'Passkey: the sign-in is not in a native Android app.',
  source: ['R11.4', 'A36'],
  appliesTo: 'fido2',
  reads: ['attempt.os', 'attempt.surface'],
  reasons: ['native-android'],
  evaluate: ({ attempt }) => {
    const saw = { os: attempt.os, surface: attempt.surface };
    return attempt.os === 'android' && attempt.surface === 'native-app' ? stopped('native-android', saw) : met(saw);
  },
};
