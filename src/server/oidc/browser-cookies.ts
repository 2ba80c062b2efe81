import type Provider from 'oidc-provider';

const expires = /; expires=([^;]+)/i;

/** How a cookie is taken back: no one's clock shows so early a time. */
const longAgo = 'Thu, 01 Jan 1970';

/**
 * A browser goes by its own clock, which is not the sandbox's: a cookie that ends in the sandbox's January would be dropped at
 * once in November. So no cookie names an end in time. That of a session names its length; the others last as long as the
 * browser runs. The provider evaluates by the sandbox's clock whether what they stand for still holds.
 * Takes the values of `Set-Cookie`, the name of the session's cookie and the length of a session in seconds.
 */
export function forBrowserClock(cookies: readonly string[], sessionName: string, sessionSeconds: number): string[] {
  return cookies.map((cookie) => {
    if (cookie.includes(longAgo)) return cookie;
    const isSession = cookie.startsWith(`${sessionName}=`) || cookie.startsWith(`${sessionName}.sig=`);
    return cookie.replace(expires, isSession ? `; max-age=${sessionSeconds}` : '');
  });
}

/** The values of `Set-Cookie` of an answer. */
export function listSetCookies(response: ReturnType<Provider['createContext']>['response']): readonly string[] {
  const header = response.headers['set-cookie'];
  return typeof header === 'string' ? [header] : Array.isArray(header) ? header : [];
}
