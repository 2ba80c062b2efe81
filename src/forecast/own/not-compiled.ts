import { NudgeLabError } from '../../core/errors.ts';

/** Causes for which a ruleset has no finite tables (OC53). */
export type NotCompiledCode = 'RC1' | 'RC2' | 'RC3' | 'RC4' | 'RC5' | 'RC6';

/** First cause for which a ruleset could not be compiled, with the key of the ruleset that it is at. */
export class NotCompiled extends Error {
  readonly code: NotCompiledCode;
  /** Path in the ruleset, where a gate is named by its id. */
  readonly path: readonly string[];

  /** Creates the cause. `message` says what is not finite. */
  constructor(code: NotCompiledCode, path: readonly string[], message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }

  /** Converts the cause to an error. `place` returns the location of a path of the ruleset. */
  toError(place: (path: readonly string[]) => string, fallback: string): NudgeLabError {
    const key = this.path.join('.');
    const problem = { location: place(this.path), message: `${this.code} ${key}: ${this.message}; ${fallback}` };
    return new NudgeLabError('ruleset-not-compiled', { problems: [problem] });
  }
}

/** Creates the cause that no example was found of users whose times have a certain combination. */
export function lostUsers(): NotCompiled {
  return new NotCompiled('RC3', ['cadence'], 'the tables lack a combination of waiting times');
}
