import type Provider from 'oidc-provider';

const expires = /; expires=([^;]+)/i;

/** Expiration date of deleted cookies, which is earlier than the time on any clock. */
const longAgo = 'Thu, 01 Jan 1970';

/**
 * Removes expiration dates from cookies. A browser uses its own clock, so a cookie that expires in the sandbox's
 * January would be deleted immediately in November. The session cookie gets a maximum age instead, and the others last
 * until the browser closes. The provider checks the validity of the content on the sandbox's clock.
 *
 * @param cookies - values of `Set-Cookie`
 * @param sessionName - name of the session cookie
 * @param sessionSeconds - session lifetime in seconds
 */
export function forBrowserClock(cookies: readonly string[], sessionName: string, sessionSeconds: number): string[] {
  return cookies.map((cookie) => {
    if (cookie.includes(longAgo)) return cookie;
    const isSession = cookie.startsWith(`${sessionName}=`) || cookie.startsWith(`${sessionName}.sig=`);
    return cookie.replace(expires, isSession ? `; max-age=${sessionSeconds}` : '');
  });
}

/** Returns the `Set-Cookie` values of a response. */
export function listSetCookies(response: ReturnType<Provider['createContext']>['response']): readonly string[] {
  const header = response.headers['set-cookie'];
  return typeof header === 'string' ? [header] : Array.isArray(header) ? header : [];
}
