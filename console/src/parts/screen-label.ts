/** Screens whose page in scenarios has another name. */
const pageByScreen: Readonly<Record<string, string>> = { expired: 'closed', resolved: 'signed-in' };

/** Formats a screen of a sign-in by the name of its page in scenarios, such as `signed-in`. */
export function formatScreen(screen: string): string {
  return pageByScreen[screen] ?? screen.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
