import type { OwnRules } from '../../machines/own/own-ruleset.ts';
import { parseInstant } from '../core/clock.ts';
import { addGalleryRuleset, galleryKinds } from './own-rulesets.ts';
import { type PageRecipe, press, recipe, throughSignIn } from './page-recipe.ts';

const always = { all: [] };
const lastDay = { constant: parseInstant('2027-01-31T12:00:00Z') };
const deadline: OwnRules['deadline'] = {
  ends: [{ at: lastDay }],
  choose: 'earliest',
  opens: null,
  before: 'skippable',
  // biome-ignore lint/suspicious/noThenProperty: the key of the format.
  then: 'required',
  boundary: 'inclusive',
  measure: 'elapsed',
  zone: 'UTC',
};
const named = '{user}: {method} for {product}, {days} days, {left} left, {deadline}';
const toSetup = [...throughSignIn(), press('next')];
const required: OwnRules['requirement'] = { required: always, blocked: null };

/** Sandbox with an own campaign of the gallery. */
function own(...campaign: Parameters<typeof addGalleryRuleset>): PageRecipe['sandbox'] {
  return { ruleset: addGalleryRuleset(...campaign) };
}

const totp = own('setup-totp', 'totp');
const phone = own('setup-phone', 'phone');
const password = own('setup-password', 'password');
const terms = own('setup-terms', 'terms');
const withDeadline = own('deadline', 'form', { deadline });
const withTexts = own('texts', 'form', {
  screens: { prompt: { heading: 'One question', text: named, buttons: { later: 'Ask me later' } } },
});
const allRequired = own('required', 'app', { requirement: required, failure: { skip: 'refused', stores: 'nothing' } });
const blocked = own('blocked', 'totp', { requirement: { required: null, blocked: always } });

/** States of the prompts of own campaigns and of their setup, by kind of the method. */
export const ownCampaignRecipes: readonly PageRecipe[] = [
  ...galleryKinds.map((kind) => recipe(`own-prompt-${kind}`, 'prompt', own(`prompt-${kind}`, kind), throughSignIn())),
  recipe('own-prompt-deadline', 'prompt', withDeadline, throughSignIn()),
  recipe('own-prompt-texts', 'prompt', withTexts, throughSignIn()),
  recipe('own-required', 'required', allRequired, throughSignIn()),
  recipe('own-blocked', 'blocked', blocked, throughSignIn()),
  ...galleryKinds.map((kind) => recipe(`own-setup-${kind}`, 'setup', own(`setup-${kind}`, kind), toSetup)),
  recipe('own-setup-code-missing', 'setup', totp, [...toSetup, press('complete-setup')]),
  recipe('own-setup-code-wrong', 'setup', phone, [...toSetup, press('complete-setup', { 'setup-code': '000000' })]),
  recipe('own-setup-password-missing', 'setup', password, [...toSetup, press('complete-setup')]),
  recipe('own-setup-password-differs', 'setup', password, [
    ...toSetup,
    press('complete-setup', { 'new-password': 'one', 'repeated-password': 'two' }),
  ]),
  recipe('own-setup-terms-missing', 'setup', terms, [...toSetup, press('complete-setup')]),
  recipe('own-error-screen', 'error-screen', totp, [...toSetup, press('fail')]),
  recipe('own-error-screen-required', 'error-screen', allRequired, [...toSetup, press('fail')]),
  recipe('own-resolved', 'signed-in', totp, [
    ...throughSignIn(),
    { kind: 'changeUser', user: { methods: ['authenticator-totp'] } },
    { kind: 'reload' },
  ]),
];
