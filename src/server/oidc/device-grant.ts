import type { AdapterPayload as Payload } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Grant type of the device authorization grant (RFC 8628, section 3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** Short name of the grant type, which some client libraries send. */
const shortGrantType = 'device_code';

/** Seconds that a device waits between two token requests. */
export const pollSeconds = 5;

/** Completes the response to a device: how often to ask for tokens, and what to show to the user. */
export function completeDeviceAnswer(body: Payload, verificationUri: string): Payload {
  return {
    ...body,
    verification_uri: verificationUri,
    verification_uri_complete: `${verificationUri}?user_code=${String(body['user_code'])}`,
    interval: pollSeconds,
    message: `To sign in, open ${verificationUri} in a browser and enter the code ${String(body['user_code'])}.`,
  };
}

/** Replaces the short name of the grant type in the form of a token request. Returns `null` if it has another one. */
export function expandGrantType(form: URLSearchParams): URLSearchParams | null {
  if (form.get('grant_type') !== shortGrantType) return null;
  const expanded = new URLSearchParams(form);
  expanded.set('grant_type', deviceGrantType);
  return expanded;
}

/** Returns `true` if any client of a sandbox can sign in on a device. */
export function usesDeviceGrant(sandbox: Sandbox): boolean {
  return sandbox.recorder.state().clients.some(({ grants = [] }) => grants.includes('device_code'));
}
