import { decodeJwt, decodeProtectedHeader } from 'jose';
import type Provider from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';

type IdToken = InstanceType<Provider['IdToken']>;

/**
 * Adds the type to the header of ID tokens, which the provider by itself omits. They are signed again by the same key.
 *
 * @see CL52
 */
export function nameTypeOfIdTokens(provider: Provider, sandbox: Sandbox): void {
  const { prototype } = provider.IdToken;
  const { issue } = prototype;
  prototype.issue = async function (this: IdToken, options): Promise<string> {
    const token = await issue.call(this, options);
    if (options.use !== 'idtoken') return token;
    const { kid = '' } = decodeProtectedHeader(token);
    const key = await sandbox.tokens.keys.find(kid);
    return key === null ? token : key.sign('JWT', decodeJwt(token));
  };
}
