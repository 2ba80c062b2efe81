/**
 * Types of the reference packages, limited to what the benchmarks use. The packages have no types or are not
 * installed here.
 */

declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly requests?: readonly { readonly body: string }[];
    readonly connections: number;
    /** Duration in seconds. */
    readonly duration?: number;
    /** Total number of requests. */
    readonly amount?: number;
  }
  interface Result {
    readonly requests: { readonly total: number };
    readonly errors: number;
    readonly non2xx: number;
    /** Duration in seconds. */
    readonly duration: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}

declare module '@cucumber/cucumber' {
  type StepCode<W> = (this: W, docString: string) => Promise<void>;
  export function Given<W>(pattern: string, code: StepCode<W>): void;
  export function When<W>(pattern: string, code: StepCode<W>): void;
  export function Then<W>(pattern: string, code: StepCode<W>): void;
  export function After<W>(code: (this: W) => Promise<void>): void;
  export function setDefaultTimeout(ms: number): void;
}
