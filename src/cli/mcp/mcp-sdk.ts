import { optionalPackage } from '../../core/optional-package.ts';

/** Loads the SDK of the Model Context Protocol. Throws `package-missing`. */
export function loadMcpSdk() {
  return optionalPackage('@modelcontextprotocol/sdk', 'The tools for agents require', async () => {
    const [{ Server }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { Server, types };
  });
}
