/** Replaces what can be a user and a password in a URL, for messages. */
export function hideUserInfo(url: string): string {
  return url.replace(/^.*@/s, '…@');
}
