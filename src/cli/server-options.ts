import { sandboxOption, serverUrlOption } from './common-options.ts';
import { controlKeyOption } from './control-key.ts';

/** Options of commands that read or change one sandbox of a running server. */
export const serverOptions = {
  url: serverUrlOption,
  controlKey: controlKeyOption,
  sandbox: sandboxOption,
} as const;
