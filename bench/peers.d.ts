/**
 * Types of the reference packages, limited to what the benchmarks use. The packages have no types or are not
 * installed here.
 */

declare module '@cucumber/cucumber' {
  type StepCode<W> = (this: W, docString: string) => Promise<void>;
  export function Given<W>(pattern: string, code: StepCode<W>): void;
  export function When<W>(pattern: string, code: StepCode<W>): void;
  export function Then<W>(pattern: string, code: StepCode<W>): void;
  export function After<W>(code: (this: W) => Promise<void>): void;
  export function setDefaultTimeout(ms: number): void;
}
