import { type Screen, screens, signInMachine } from '../../machines/sign-in.machine.ts';

/** The page that a screen is shown as, by the name that the machine gives it: what `data-page` of a page says. */
export const pageNames: Readonly<Record<Screen, string>> = Object.fromEntries(
  screens.map((screen) => [screen, pageName(screen)]),
) as Record<Screen, string>;

function pageName(screen: Screen): string {
  const meta = signInMachine.states[screen]?.meta as { readonly page: string } | undefined;
  return meta?.page ?? screen;
}
