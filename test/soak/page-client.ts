import { type Dispatcher, request } from 'undici';

/** Data of a page that a client needs. */
export interface Page {
  readonly status: number;
  /** Value of `data-page`, or `''` if the response is not a page. */
  readonly name: string;
  readonly signInId: string;
  readonly location: string;
  readonly text: string;
}

type Form = Readonly<Record<string, string>>;

/** Browser without an HTML parser. It recognizes the pages of a sign-in and extracts the values to send back. */
export class PageClient {
  readonly #baseUrl: string;
  readonly #dispatcher: Dispatcher;
  readonly #cookies = new Map<string, string>();
  #page: Page = { status: 0, name: '', signInId: '', location: '', text: '' };

  /** Creates a client from the base URL of the sandbox and the dispatcher of its requests. */
  constructor(baseUrl: string, dispatcher: Dispatcher) {
    this.#baseUrl = baseUrl;
    this.#dispatcher = dispatcher;
  }

  /** Page of the last response. */
  get shown(): Page {
    return this.#page;
  }

  /** Starts a sign-in of a user. */
  begin(userId: string): Promise<Page> {
    return this.post('/sign-in', { username: `${userId}@example.test` });
  }

  /** Presses a button of the current page by its action, with the given form fields. */
  act(action: string, fields: Form = {}): Promise<Page> {
    return this.post(this.#action(), { formToken: this.#formToken(), action, ...fields });
  }

  /** Submits a form without reading the response, as a second tab or a beacon does. Returns the status. */
  async actUnseen(action: string): Promise<number> {
    const shown = this.#page;
    const { status } = await this.post(this.#action(), { formToken: this.#formToken(), action });
    this.#page = shown;
    return status;
  }

  /** Requests a relative or absolute URL. */
  get(address: string): Promise<Page> {
    return this.#ask('GET', address);
  }

  /** Submits a form. */
  post(address: string, form: Form): Promise<Page> {
    return this.#ask('POST', address, new URLSearchParams(form).toString());
  }

  async #ask(method: 'GET' | 'POST', address: string, form?: string): Promise<Page> {
    const url = address.startsWith('/sign-in') ? `${this.#getPrefix(address)}${address}` : address;
    const { statusCode, headers, body } = await request(new URL(url, this.#baseUrl), {
      method,
      dispatcher: this.#dispatcher,
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: form }),
    });
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = cookie.slice(0, cookie.indexOf(';')).split(/=(.*)/s);
      this.#cookies.set(name, value);
    }
    const text = await body.text();
    this.#page = {
      status: statusCode,
      name: found(text, /<main data-page="([^"]+)"/),
      signInId: found(text, /data-sign-in="([^"]+)"/),
      location: String(headers['location'] ?? ''),
      text,
    };
    return this.#page;
  }

  /**
   * Returns the path prefix for a path. Pages contain complete paths; only the client’s own paths need the sandbox
   * prefix.
   */
  #getPrefix(address: string): string {
    return address === '/sign-in' ? new URL(this.#baseUrl).pathname.replace(/\/$/, '') : '';
  }

  #action(): string {
    const address = found(this.#page.text, /<form method="post" action="([^"]+)"/);
    return address.replaceAll('&amp;', '&').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  }

  #formToken(): string {
    return found(this.#page.text, /name="formToken" value="([^"]+)"/);
  }
}

function found(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? '';
}
