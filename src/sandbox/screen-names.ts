import { type Screen, screens, signInMachine } from '../../machines/sign-in.machine.ts';

/** Name of a page that is a sign-in screen. Only this module creates such names. */
export type ScreenPage = string & { readonly isOfScreen: true };

/** Page names of the screens, as in the `data-page` attribute, by their state in the machine. */
export const pageNames: Readonly<Record<Screen, ScreenPage>> = Object.fromEntries(
  screens.map((screen) => [screen, pageName(screen)]),
) as Record<Screen, ScreenPage>;

function pageName(screen: Screen): string {
  const meta = signInMachine.states[screen]?.meta as { readonly page: string } | undefined;
  return meta?.page ?? screen;
}
