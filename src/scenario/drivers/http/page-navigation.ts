import type { FactorScreen } from '../../../contract/step-names.ts';
import type { ShownForm, ShownPage } from './pages.ts';

/** Where the forms of a sign-in go and what is hidden in them, kept for what is sent without a button (A1, A41). */
export interface Way {
  readonly address: string;
  readonly hidden: readonly (readonly [string, string])[];
}

/** Whether a form belongs to a running sign-in: those carry its token. */
export function isOfSignIn({ fields }: ShownForm): boolean {
  return fields.some(({ name }) => name === 'formToken');
}

/** Where a form of a sign-in goes. Takes the form and the address of its page. */
export function findMethodPath({ address, fields }: ShownForm, baseUrl: string): Way {
  const hidden = fields.filter(({ label }) => label === null).map(({ name, value }) => [name, value] as const);
  return { address: new URL(address, baseUrl).href, hidden };
}

/** What a page asks for before the rules have judged, read from its fields; nothing on other pages. */
export function factorOn({ name, number, forms }: ShownPage): readonly FactorScreen[] {
  if (name === 'password') return ['password'];
  if (name === 'external-mfa') return ['elsewhere'];
  if (name !== 'mfa') return [];
  if (number !== null) return ['number'];
  return [forms.some(({ fields }) => fields.some(({ label }) => label === 'Code')) ? 'code' : 'passkey'];
}
