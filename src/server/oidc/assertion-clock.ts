import { decodeJwt } from 'jose';
import Provider, { errors } from 'oidc-provider';
import { machineNowMs } from '../../core/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { findRequestClock } from './request-clock.ts';

/** Tolerance in seconds while the clock of the sandbox runs at the real time. */
const toleranceDefault = 60;

/** Maximum time in seconds from now to the end of an assertion. */
const assertionSecondsMax = 3_600;

/**
 * Accepts assertions within the tolerance of the sandbox, because clients sign by their own clocks. The provider verifies
 * the times of an assertion at one point in time, so the clock of its request is moved into the validity meanwhile.
 *
 * @see CL41
 */
export function tolerateAssertionTimes(provider: Provider, sandbox: Sandbox): void {
  const { prototype } = provider.OIDCContext;
  const { clientJwtAuthExpectedAudience: getAudience } = prototype;
  prototype.clientJwtAuthExpectedAudience = function () {
    const clock = findRequestClock(Provider.ctx?.res);
    const assertion = this.params?.['client_assertion'];
    if (clock !== null && typeof assertion === 'string') clock.shiftMs = computeShiftMs(sandbox, assertion);
    return getAudience.call(this);
  };
}

/**
 * Ends the tolerance for times after the verification. Throws `invalid_client` if an assertion is valid for too long.
 *
 * @param claims - claims of the assertion, whose validity contains the current time within the tolerance
 */
export function checkAssertion(sandbox: Sandbox, claims: { readonly exp?: unknown; readonly nbf?: unknown }): void {
  const { exp, nbf } = claims;
  const clock = findRequestClock(Provider.ctx?.res);
  const verifiedSeconds = Math.floor((sandbox.clock.nowMs() + (clock?.shiftMs ?? 0)) / 1000);
  if (clock !== null) clock.shiftMs = 0;
  const beginning = typeof nbf === 'number' ? Math.max(nbf, verifiedSeconds) : verifiedSeconds;
  if (typeof exp === 'number' && exp - beginning > assertionSecondsMax)
    throw new errors.InvalidClientAuth('expiration must be at most one hour ahead');
}

/** Returns the time in milliseconds by which the clock has to move so the times of an assertion are valid. */
function computeShiftMs(sandbox: Sandbox, assertion: string): number {
  const nowSeconds = Math.floor(sandbox.clock.nowMs() / 1000);
  const { nbf = 0, exp = nowSeconds + 1 } = readTimes(assertion);
  const shift = nbf > nowSeconds ? nbf - nowSeconds : Math.min(0, exp - 1 - nowSeconds);
  return Math.abs(shift) <= getToleranceSeconds(sandbox) ? shift * 1000 : 0;
}

function readTimes(assertion: string): { readonly nbf?: number; readonly exp?: number } {
  try {
    const { nbf, exp } = decodeJwt(assertion);
    return { ...(Number.isFinite(nbf) && { nbf: Number(nbf) }), ...(Number.isFinite(exp) && { exp: Number(exp) }) };
  } catch {
    return {};
  }
}

/** Returns the tolerance of a sandbox. Without a setting, any time is accepted while its clock is not the real time. */
function getToleranceSeconds({ recorder, clock }: Sandbox): number {
  const { assertionToleranceSeconds: tolerance } = recorder.state().settings.identity ?? {};
  if (tolerance === 'any') return Number.POSITIVE_INFINITY;
  if (tolerance !== undefined) return tolerance;
  const isRealTime = Math.abs(clock.nowMs() - machineNowMs()) <= toleranceDefault * 1000;
  return isRealTime ? toleranceDefault : Number.POSITIVE_INFINITY;
}
