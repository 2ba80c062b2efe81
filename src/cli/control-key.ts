import type { Config } from './config.ts';
import type { CommandContext } from './context.ts';
import { text } from './option.ts';

/** Environment variable that contains the control key. Unlike an option, it does not appear in process lists. */
export const controlKeyVariable = 'NUDGELAB_CONTROL_KEY';

/** Option for commands that send requests to a server. */
export const controlKeyOption = text(
  '--control-key <key>',
  `control key of the server; prefer ${controlKeyVariable}, which process lists do not show`,
);

/**
 * Returns the control key from the option, the environment or the configuration, in this order; `undefined` if
 * there is none.
 */
export function loadControlKey(
  { controlKey }: { readonly controlKey: string | null },
  { env }: Pick<CommandContext, 'env'>,
  config?: Pick<Config, 'controlKey'>,
): string | undefined {
  return (
    [controlKey, env[controlKeyVariable], config?.controlKey].find(
      (key) => key !== null && key !== undefined && key !== '',
    ) ?? undefined
  );
}
