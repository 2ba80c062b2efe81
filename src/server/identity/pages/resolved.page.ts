import { promptedMethod } from './method-texts.ts';
import { passedPage, type SignInPage } from './sign-in-page.ts';

/** Renders a prompt whose method the user has registered in another window (A27, A43). */
export function resolvedPage(page: SignInPage): string {
  return passedPage(page, 'resolved.heading', `resolved.${promptedMethod(page.view.method)}`);
}
