import type { PageControl } from '../../../contract/page-controls.ts';
import type { FormEntries, ParsedPage } from './parsed-page.ts';

/** Where the forms of a sign-in go, and the anti-forgery token that they carry. */
export interface SignInForm {
  readonly url: string;
  readonly formToken: string;
}

/** How pages are loaded and forms are sent: by HTTP requests, or in a real browser. */
export interface PageTransport {
  /** Status of the latest document. */
  readonly status: number;
  /** The URL at which the browser returned to its application; `null` before, and without one. */
  readonly arrivedAt: string | null;
  /** The URL of the page. */
  readonly url: string;
  /** Loads a URL, as typed into the address bar. */
  open(url: string): Promise<void>;
  /** Parses the current page. Throws `driver-failed` for a document that is no page of a sign-in server. */
  read(): Promise<ParsedPage>;
  /** Enters texts, chooses an option and presses a button. Throws `driver-failed` when the page has no such control. */
  press(control: PageControl, entries?: FormEntries): Promise<void>;
  /** Sends a form that the page does not have, as an older page would. */
  send(form: SignInForm, action: string): Promise<void>;
  /** Approves the newest notification on the simulated phone, in a window of its own. */
  approveOnPhone(): Promise<void>;
}

/** The tab that a sign-in runs in. */
export interface SignInTab {
  /** Whether a page is open; a tab that was closed is opened again when it is needed. */
  readonly isOpen: boolean;
  ensureOpen(): Promise<PageTransport>;
}
