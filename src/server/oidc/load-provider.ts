import { registerHooks } from 'node:module';

/** Path of the provider in the URL of its modules. */
const ownPath = '/node_modules/oidc-provider/';

/**
 * Module in place of `node:http` for the provider, which imports only the status names. An import of `node:http`
 * evaluates all of its exports, and the WebSocket client among them takes 13 MiB of memory and a tenth of the startup.
 */
const statusNames = 'data:text/javascript,export const { STATUS_CODES } = process.getBuiltinModule("node:http")';

/**
 * Loads the provider without the parts of Node.js that it never uses.
 *
 * @param load - imports the module that creates providers
 * @returns the module
 */
export async function loadWithStatusNames<T>(load: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:http' && context.parentURL?.includes(ownPath) === true
        ? { url: statusNames, format: 'module', shortCircuit: true }
        : next(specifier, context),
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
