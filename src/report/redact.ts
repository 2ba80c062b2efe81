import type { Mismatch, RunReport, ScenarioResult, StepResult } from '../contract/result.schema.ts';
import { escapePattern } from '../core/escape-pattern.ts';
import { redacted, redactTokens } from '../core/redact-tokens.ts';

/** Keys whose values are always secret, such as passwords, tokens and cookies. */
const secretKey = /pass(word|phrase|code)|secret|token|authorization|cookie|\botp\b/i;

/** Keys of a one-time code, which is secret, or of an error code, which is not. */
const codeKey = /^(code|verificationCode|otc)$/i;
const oneTimeCode = /^\d{6,8}$/;

/** Secrets inside texts other than tokens: form and query fields, and the user part of a URL. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/(password|passcode|secret|token)=[^&\s"']+/gi, `$1=${redacted}`],
  [/\b(code)=\d{6,8}\b/gi, `$1=${redacted}`],
  [/\b(https?:\/\/)[^\s/@]+@/gi, `$1${redacted}@`],
];

/** Secrets in addition to the built-in ones. */
export interface RedactionRules {
  /** Names of secret fields and headers, matched without regard to case. */
  readonly keys: readonly string[];
  /** Secret texts, such as the password of a test user. */
  readonly values: readonly string[];
}

/** Removes secrets from values and texts. Only this class defines what is secret. */
export class Redactor {
  readonly #keys: ReadonlySet<string>;
  readonly #values: readonly RegExp[];

  /** Creates a redactor. `rules` adds secrets to passwords, tokens, cookies and one-time codes. */
  constructor(rules: RedactionRules = { keys: [], values: [] }) {
    this.#keys = new Set(rules.keys.map((key) => key.toLowerCase()));
    this.#values = [...new Set(rules.values)].filter((value) => value !== '').map(exactly);
  }

  /** Returns the text without secrets. */
  text(text: string): string {
    const withoutTokens = redactTokens(text);
    const known = secretTexts.reduce((clean, [pattern, shown]) => clean.replace(pattern, shown), withoutTokens);
    return this.#values.reduce((clean, pattern) => clean.replace(pattern, redacted), known);
  }

  /** Returns the JSON value without secrets. `key` is the key of the value in its object. */
  value(value: unknown, key = ''): unknown {
    if (value !== null && value !== undefined && this.#isSecret(key, value)) return redacted;
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.value(inner, name)]));
  }

  /** Returns the report without secrets. */
  report(report: RunReport): RunReport {
    return { ...report, results: report.results.map((result) => this.#result(result)) };
  }

  /**
   * Redacts one result. Only results that did not pass contain actual values, and the command contains text from the
   * caller.
   */
  #result(result: ScenarioResult): ScenarioResult {
    const command = this.text(result.command);
    if (result.status === 'passed') return { ...result, command };
    const { message } = result;
    return {
      ...result,
      command,
      ...(message === undefined ? {} : { message: this.text(message) }),
      steps: result.steps.map((step) => this.#step(step)),
    };
  }

  #step(step: StepResult): StepResult {
    if (step.mismatches.length === 0) return step;
    return { ...step, mismatches: step.mismatches.map((mismatch) => this.#mismatch(mismatch)) };
  }

  #mismatch({ key, expected, actual, message }: Mismatch): Mismatch {
    return {
      key,
      expected: this.value(expected),
      actual: this.value(actual),
      ...(message === undefined ? {} : { message: this.text(message) }),
    };
  }

  #isSecret(key: string, value: unknown): boolean {
    if (this.#keys.has(key.toLowerCase())) return true;
    if (codeKey.test(key)) return oneTimeCode.test(String(value));
    return secretKey.test(key) && typeof value !== 'boolean';
  }
}

/** Creates a pattern that matches a text, but not inside a longer word or number. */
function exactly(value: string): RegExp {
  return new RegExp(`(?<!\\w)${escapePattern(value)}(?!\\w)`, 'g');
}
