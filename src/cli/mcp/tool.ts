import type { z } from 'zod';
import type { ToolSetting } from './tool-setting.ts';

/** Tool that an agent can call. */
export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** `true` if the tool changes files. */
  readonly writes: boolean;
  /**
   * Returns the time limit of a call in milliseconds of real time. A call with a time limit runs in its own thread;
   * `null` if it needs none, because its work is bounded by its input.
   */
  readonly limitMs: ((input: z.output<Input>) => number) | null;
  /** Does the work. Throws `NudgeLabError` for errors that the caller can correct. */
  readonly run: (input: z.output<Input>, setting: ToolSetting) => Promise<z.input<Output>>;
}

/** Creates a tool from its specification. The input of `run` is typed, because it was parsed with the schema. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(spec: Tool<Input, Output>): Tool {
  return {
    ...spec,
    limitMs: spec.limitMs === null ? null : (input) => spec.limitMs?.(input as z.output<Input>) ?? 0,
    run: (input, setting) => spec.run(input as z.output<Input>, setting),
  };
}
