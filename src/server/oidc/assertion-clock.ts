import { decodeJwt } from 'jose';
import Provider, { errors } from 'oidc-provider';
import { machineNowMs } from '../../core/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { findRequestClock } from './request-clock.ts';

/** Tolerance in seconds while the clock of the sandbox runs at the real time. */
const toleranceDefault = 60;

/** Maximum tolerance of the setting, and the time in seconds for which ids are remembered if any time is accepted. */
const toleranceSecondsMax = 86_400;

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
  rememberIds(provider, sandbox);
}

/** Remembers the id of an assertion for as long as the tolerance can accept it again. The provider forgets it at its end. */
function rememberIds({ ReplayDetection }: Provider, sandbox: Sandbox): void {
  const { unique } = ReplayDetection;
  ReplayDetection.unique = (clientId, tokenId, expiresAt) => {
    const nowSeconds = Math.floor(sandbox.clock.nowMs() / 1000);
    const isAssertion = typeof Provider.ctx?.oidc.params?.['client_assertion'] === 'string';
    const tolerance = isAssertion ? Math.min(getToleranceSeconds(sandbox), toleranceSecondsMax) : 0;
    return unique.call(ReplayDetection, clientId, tokenId, Math.max(expiresAt, nowSeconds) + tolerance);
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

/**
 * Returns the time in milliseconds by which the clock has to move so the times of an assertion are valid. An assertion
 * without `nbf` begins when it was issued, and one that does not state this at the latest one hour before its end.
 */
function computeShiftMs(sandbox: Sandbox, assertion: string): number {
  const nowSeconds = Math.floor(sandbox.clock.nowMs() / 1000);
  const { nbf, iat, exp = nowSeconds + 1 } = readTimes(assertion);
  const beginning = nbf ?? iat ?? exp - assertionSecondsMax;
  if (beginning >= exp) return 0;
  const shift = beginning > nowSeconds ? beginning - nowSeconds : Math.min(0, exp - 1 - nowSeconds);
  return Math.abs(shift) <= getToleranceSeconds(sandbox) ? shift * 1000 : 0;
}

/** Times of an assertion in seconds. A time that is no number is omitted. */
type AssertionTimes = Partial<Record<(typeof timeClaims)[number], number>>;

const timeClaims = ['nbf', 'iat', 'exp'] as const;

function readTimes(assertion: string): AssertionTimes {
  try {
    const claims = decodeJwt(assertion);
    const times = timeClaims.map((name) => [name, claims[name]] as const);
    return Object.fromEntries(times.filter(([, value]) => Number.isFinite(value)));
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
