import { type Screen, screens, signInMachine } from '../../machines/sign-in.machine.ts';

/** The name of a page that is a screen of a sign-in: made here alone. */
export type ScreenPage = string & { readonly isOfScreen: true };

/** The page that a screen is shown as, by the name that the machine gives it: what `data-page` of a page says. */
export const pageNames: Readonly<Record<Screen, ScreenPage>> = Object.fromEntries(
  screens.map((screen) => [screen, pageName(screen)]),
) as Record<Screen, ScreenPage>;

function pageName(screen: Screen): string {
  const meta = signInMachine.states[screen]?.meta as { readonly page: string } | undefined;
  return meta?.page ?? screen;
}
