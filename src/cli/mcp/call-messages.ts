import type { ErrorCode, ValidationProblem } from '../../core/errors.ts';
import type { ToolSetting } from './tool-setting.ts';

/** Call of a tool, as its thread receives it. */
export interface ToolCall {
  readonly tool: string;
  /** Input that was parsed with the schema of the tool. */
  readonly input: unknown;
  readonly setting: ToolSetting;
}

/** Result of a call, as its thread returns it. */
export type CallResult =
  | { readonly kind: 'result'; readonly output: unknown }
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly problems: readonly ValidationProblem[];
    };
