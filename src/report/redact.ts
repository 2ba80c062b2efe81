import type { Mismatch, RunReport, ScenarioResult, StepResult } from '../contract/result.ts';

/** What stands where a secret stood. */
const redacted = '[redacted]';

/** Keys whose values are secrets wherever they appear: passwords, tokens, cookies. */
const secretKey = /pass(word|phrase|code)|secret|token|authorization|cookie|\botp\b/i;

/** A key that carries a one-time code, or an error code, which is none. */
const codeKey = /^(code|verificationCode|otc)$/i;
const oneTimeCode = /^\d{6,8}$/;

/** Secrets inside texts, besides tokens: fields of forms and queries, and the user of an address. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/(password|passcode|secret|token)=[^&\s"']+/gi, `$1=${redacted}`],
  [/\b(code)=\d{6,8}\b/gi, `$1=${redacted}`],
  [/\b(https?:\/\/)[^\s/@]+@/gi, `$1${redacted}@`],
];

const bearer = /\bBearer /;
const bearerRun = /^([\w.~+/-]+)=*/;

/** Characters of a run behind "Bearer" from which on it is a token and no word. */
const bearerCharactersMin = 16;

/** A text without the tokens of bearer headers in it. */
function withoutBearerTokens(text: string): string {
  return text.split(bearer).reduce((before, after) => {
    const [found = '', run = ''] = bearerRun.exec(after) ?? [];
    const shown = run.length >= bearerCharactersMin ? redacted : found;
    return `${before}Bearer ${shown}${after.slice(found.length)}`;
  });
}

const signedHead = /\beyJ[\w-]{8}/;

/** A run of letters, digits, hyphens and dots without the signed token in it: three parts, of which the first is JSON in base64. */
function withoutSignedToken(run: string): string {
  const parts = run.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const begin = parts.length - at < 3 || parts[at + 1] === '' ? -1 : part.search(signedHead);
    kept.push(begin === -1 ? part : `${part.slice(0, begin)}${redacted}`);
    if (begin !== -1) at += 2;
  }
  return kept.join('.');
}

/** What is secret besides what always is. */
export interface RedactionRules {
  /** Names of fields and headers, in any case. */
  readonly keys: readonly string[];
  /** Texts that are secret themselves, such as the password of a test user. */
  readonly values: readonly string[];
}

/** Takes secrets out of values and texts; the one place that decides what a secret is. */
export class Redactor {
  readonly #keys: ReadonlySet<string>;
  readonly #values: readonly RegExp[];

  /** Takes what is secret besides passwords, tokens, cookies and one-time codes. */
  constructor(rules: RedactionRules = { keys: [], values: [] }) {
    this.#keys = new Set(rules.keys.map((key) => key.toLowerCase()));
    this.#values = [...new Set(rules.values)].filter((value) => value !== '').map(exactly);
  }

  /** A text without the secrets in it. */
  text(text: string): string {
    const withoutTokens = withoutBearerTokens(text.replace(/[\w.-]+/g, withoutSignedToken));
    const known = secretTexts.reduce((clean, [pattern, shown]) => clean.replace(pattern, shown), withoutTokens);
    return this.#values.reduce((clean, pattern) => clean.replace(pattern, redacted), known);
  }

  /** A value of JSON without the secrets in it. Takes the key under which it stands. */
  value(value: unknown, key = ''): unknown {
    if (value !== null && value !== undefined && this.#isSecret(key, value)) return redacted;
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, this.value(held, name)]));
  }

  /** A report without the secrets in it. */
  report(report: RunReport): RunReport {
    return { ...report, results: report.results.map((result) => this.#result(result)) };
  }

  /** Only what did not pass carries values that were seen; the command carries what the caller wrote. */
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

/** Finds a text, but not inside a longer word or number. */
function exactly(value: string): RegExp {
  return new RegExp(`(?<!\\w)${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`, 'g');
}
