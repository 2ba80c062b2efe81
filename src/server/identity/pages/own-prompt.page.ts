import { html } from 'ghtml';
import { toAnswerControl } from '../../../contract/page-controls.ts';
import type { OwnPromptView } from '../../../sandbox/own-prompt-view.ts';
import { formatDeadline, ownScreenTexts } from './own-texts.ts';
import { type Button, buttons, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Renders the prompt of an own campaign, with one button for each answer (OC45). */
export function ownPromptPage(page: SignInPage, own: OwnPromptView): string {
  const { texts } = page.tenant;
  const isRequired = page.view.screen === 'required';
  const { heading, text, button } = ownScreenTexts(page, own, isRequired ? 'required' : 'prompt');
  const answers = own.answers.map(
    ({ id, label }): Button => ({ control: toAnswerControl(id), label: button(id, label), weight: 'secondary' }),
  );
  const deadline = own.deadlineAt === null ? null : formatDeadline(texts, own.deadlineAt);
  const { snoozesLeft } = own;
  return signInPage(page, {
    heading,
    prompts: true,
    body: html`<p!${isRequired ? ' class="notice"' : ''}>${text}</p>
!${form(page, buttons({ control: 'next', label: button('next', texts.text('action.next')) }, ...answers))}
!${snoozesLeft === null || isRequired ? '' : html`<p class="note">${texts.text('prompt.snoozes-left', { count: snoozesLeft })}</p>`}
!${deadline === null ? '' : html`<p class="note">${texts.text('own.deadline', { deadline })}</p>`}`,
  });
}

/** Renders the error screen of a failed setup. A campaign can keep it from being skipped. */
export function ownErrorPage(page: SignInPage, own: OwnPromptView): string {
  const { texts } = page.tenant;
  const { heading, text, button } = ownScreenTexts(page, own, 'error');
  const skip: Button = {
    control: 'skip-error',
    label: button('skip', texts.text('error-screen.skip')),
    weight: 'secondary',
  };
  return signInPage(page, {
    heading,
    prompts: true,
    body: html`<p class="notice">${text}</p>
!${form(
      page,
      buttons(
        { control: 'next', label: button('try', texts.text('error-screen.retry')) },
        ...(own.errorSkippable ? [skip] : []),
      ),
    )}`,
  });
}

/** Renders the page of a sign-in that an own campaign blocks: there is no way on. */
export function ownBlockedPage(page: SignInPage, own: OwnPromptView): string {
  const { heading, text } = ownScreenTexts(page, own, 'blocked');
  return signInPage(page, { heading, body: html`<p class="notice">${text}</p>` });
}
