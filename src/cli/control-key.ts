import type { Config } from './config.ts';
import type { CommandContext } from './context.ts';
import { text } from './option.ts';

/** The environment variable that holds the access key, which no list of processes shows. */
export const controlKeyVariable = 'NUDGELAB_CONTROL_KEY';

/** The option of commands that ask a server. */
export const controlKeyOption = text(
  '--control-key <key>',
  `control key of the server; prefer ${controlKeyVariable}, which process lists do not show`,
);

/** The access key by option, environment or configuration, in this order; `undefined` without one. */
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

/** What carries an access key, if there is one. */
export type KeyHeader = Readonly<Record<string, string>>;

/** The header that carries an access key; none without one. */
export function keyHeader(key: string | undefined): KeyHeader {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
