import type { PageControl } from '../../../contract/page-controls.ts';
import type { FormEntries, ParsedPage } from './parsed-page.ts';

/** URL of the forms of a sign-in, with their anti-forgery token. */
export interface SignInForm {
  readonly url: string;
  readonly formToken: string;
}

/** Loads pages and sends forms, by HTTP requests or in a real browser. */
export interface PageTransport {
  /** Status of the latest document. */
  readonly status: number;
  /** URL at which the browser returned to its application, or `null` before that and without an application. */
  readonly arrivedAt: string | null;
  /** URL of the page. */
  readonly url: string;
  /** Loads a URL as if it was typed into the address bar. */
  open(url: string): Promise<void>;
  /** Parses the current page. Throws `driver-failed` for a document that is not a page of a sign-in server. */
  read(): Promise<ParsedPage>;
  /** Enters texts, selects an option and presses a button. Throws `driver-failed` if the page has no such control. */
  press(control: PageControl, entries?: FormEntries): Promise<void>;
  /** Sends a form that is not on the page, as an outdated page would. */
  send(form: SignInForm, action: string): Promise<void>;
  /** Approves the newest notification on the simulated phone in its own window. */
  approveOnPhone(): Promise<void>;
}

/** Tab of a sign-in. */
export interface SignInTab {
  /** True if a page is open. A closed tab is reopened when it is needed. */
  readonly isOpen: boolean;
  ensureOpen(): Promise<PageTransport>;
}
