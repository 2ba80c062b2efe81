/**
 * Script that installs a software authenticator in a page. The functions below run in the browser. The script
 * consists of their source text, so they can use only each other and page globals. They must not use imports. The
 * script evaluates no text and adds no elements, so it works under a strict Content-Security-Policy.
 */

/** Request that the page sends over the binding. */
export interface PageRequest {
  readonly kind: 'create' | 'conditional-create' | 'get' | 'autofill' | 'signal' | 'end';
  /** Number of the ceremony in its page. */
  readonly ceremony: number;
  /** Ceremony options or signal data as JSON; `null` at the end of a ceremony. */
  readonly options: object | null;
}

/** Response that the page receives. An unanswered ceremony gets no response. */
export type PageAnswer =
  | { readonly kind: 'answered'; readonly response: object }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };

export interface PageSettings {
  /** Name of the binding on the page's global object. */
  readonly binding: string;
  /** True if a user-verifying platform authenticator is available. */
  readonly userVerifyingPlatform: boolean;
}

/** Default timeout of a ceremony in milliseconds of browser time, used if the options contain none. */
const ceremonyTimeoutDefaultMs = 300_000;

/**
 * Creates the script text for `addInitScript`. The settings contain the binding name and the static capabilities.
 */
export function pageScript(settings: PageSettings): string {
  const parts = [toBytes, toText, toJson, withBytes, toCredential, failure, openCeremony, statics, hindrance, install];
  const argument = JSON.stringify({ ...settings, timeoutMs: ceremonyTimeoutDefaultMs });
  return `(() => {\n${parts.map(String).join('\n')}\ninstall(${argument});\n})();`;
}

type InPage = PageSettings & { readonly timeoutMs: number };
type Members = Record<string, unknown>;
type Ask = (request: PageRequest) => Promise<PageAnswer>;

interface CeremonyOptions {
  readonly publicKey?: Members & { readonly timeout?: number };
  readonly mediation?: string;
  readonly signal?: AbortSignal;
}
type Ceremony = (options?: CeremonyOptions) => Promise<unknown>;

/** Members of a page's global object that the script uses. */
interface PageGlobal extends Members {
  readonly isSecureContext: boolean;
  readonly navigator: { readonly credentials?: Record<'create' | 'get', Ceremony> };
  readonly PublicKeyCredential?: { readonly prototype: object };
  readonly AuthenticatorAttestationResponse?: { readonly prototype: object };
  readonly AuthenticatorAssertionResponse?: { readonly prototype: object };
}

function toBytes(text: string): ArrayBuffer {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0)).buffer;
}

function toText(content: ArrayBuffer | ArrayBufferView): string {
  const bytes = ArrayBuffer.isView(content)
    ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
    : new Uint8Array(content);
  const plain = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Converts options to JSON. Every buffer becomes a base64url string. */
function toJson(value: unknown): unknown {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return toText(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, toJson(member)]));
}

/**
 * Converts JSON options to WebAuthn options. Members that WebAuthn declares as buffers become buffers, including
 * those of the PRF extension.
 */
function withBytes(options: Members): Members {
  const extensions = options['extensions'] as { readonly prf?: { readonly eval?: Members } } | undefined;
  const salts = Object.entries(extensions?.prf?.eval ?? {}).map(
    ([name, salt]) => [name, toBytes(String(salt))] as const,
  );
  const descriptors = (list: unknown) =>
    (Array.isArray(list) ? list : []).map((row: Members) => ({ ...row, id: toBytes(String(row['id'])) }));
  const { user, excludeCredentials, allowCredentials } = options as Record<string, Members | undefined>;
  return {
    ...options,
    challenge: toBytes(String(options['challenge'])),
    ...(user === undefined ? {} : { user: { ...user, id: toBytes(String(user['id'])) } }),
    ...(excludeCredentials === undefined ? {} : { excludeCredentials: descriptors(excludeCredentials) }),
    ...(allowCredentials === undefined ? {} : { allowCredentials: descriptors(allowCredentials) }),
    ...(salts.length === 0 ? {} : { extensions: { ...extensions, prf: { eval: Object.fromEntries(salts) } } }),
  };
}

/** Creates the credential that a page expects: an instance of the browser's own class with own properties. */
function toCredential(page: PageGlobal, json: Members): unknown {
  const own = (prototype: object | undefined, members: Members): object => {
    const object = Object.create(prototype ?? Object.prototype);
    for (const [name, value] of Object.entries(members))
      Object.defineProperty(object, name, { value, enumerable: true });
    return object;
  };
  const given = json['response'] as Members;
  const getBytes = (name: string) => toBytes(String(given[name]));
  const registered = given['attestationObject'] !== undefined;
  const clientDataJSON = getBytes('clientDataJSON');
  const response = registered
    ? own(page.AuthenticatorAttestationResponse?.prototype, {
        clientDataJSON,
        attestationObject: getBytes('attestationObject'),
        getTransports: () => [...(given['transports'] as string[])],
        getAuthenticatorData: () => getBytes('authenticatorData'),
        getPublicKey: () => getBytes('publicKey'),
        getPublicKeyAlgorithm: () => given['publicKeyAlgorithm'],
      })
    : own(page.AuthenticatorAssertionResponse?.prototype, {
        clientDataJSON,
        authenticatorData: getBytes('authenticatorData'),
        signature: getBytes('signature'),
        userHandle: given['userHandle'] === undefined ? null : getBytes('userHandle'),
      });
  return own(page.PublicKeyCredential?.prototype, {
    id: json['id'],
    rawId: toBytes(String(json['id'])),
    type: json['type'],
    authenticatorAttachment: json['authenticatorAttachment'],
    response,
    getClientExtensionResults: () => json['clientExtensionResults'],
    toJSON: () => json,
  });
}

function failure(name: string, message: string): DOMException {
  return new DOMException(message, name);
}

/** Runs one ceremony until it gets a response, its signal aborts it or its timeout expires. */
function openCeremony(
  page: PageGlobal,
  ask: Ask,
  request: PageRequest,
  limits: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number | null },
): Promise<unknown> {
  const { signal, timeoutMs } = limits;
  const answered = new AbortController();
  const listening = { once: true, signal: answered.signal };
  const settled = new Promise((resolve, reject) => {
    const end = (reason: unknown) => {
      reject(reason);
      ask({ kind: 'end', ceremony: request.ceremony, options: null }).catch(() => undefined);
    };
    signal?.addEventListener('abort', () => end(signal.reason), listening);
    if (timeoutMs !== null) {
      const over = () => end(failure('NotAllowedError', 'The operation either timed out or was not allowed.'));
      AbortSignal.timeout(timeoutMs).addEventListener('abort', over, listening);
    }
    ask(request).then((answer) => {
      if (answer.kind === 'answered') resolve(toCredential(page, answer.response as Members));
      else reject(failure(answer.name, answer.message));
    }, reject);
  });
  return settled.finally(() => answered.abort());
}

/** Creates the static methods of PublicKeyCredential. */
function statics({ userVerifyingPlatform }: InPage, ask: Ask): Members {
  const signal = (name: string) => async (options: Members) => {
    await ask({ kind: 'signal', ceremony: 0, options: { [name]: toJson(options) } });
  };
  return {
    signalUnknownCredential: signal('unknownCredential'),
    signalAllAcceptedCredentials: signal('allAcceptedCredentials'),
    signalCurrentUserDetails: signal('currentUserDetails'),
    isUserVerifyingPlatformAuthenticatorAvailable: async () => userVerifyingPlatform,
    isConditionalMediationAvailable: async () => true,
    getClientCapabilities: async () => ({
      conditionalCreate: true,
      conditionalGet: true,
      hybridTransport: true,
      passkeyPlatformAuthenticator: userVerifyingPlatform,
      relatedOrigins: false,
      signalAllAcceptedCredentials: true,
      signalCurrentUserDetails: true,
      signalUnknownCredential: true,
      userVerifyingPlatformAuthenticator: userVerifyingPlatform,
    }),
    parseCreationOptionsFromJSON: withBytes,
    parseRequestOptionsFromJSON: withBytes,
  };
}

/** Returns the reason why a browser would not start a ceremony; `null` if it would start. */
function hindrance({ signal }: CeremonyOptions, openCeremonies: number): unknown {
  if (signal?.aborted === true) return signal.reason;
  return openCeremonies > 0 ? failure('OperationError', 'A request is already pending.') : null;
}

/** Replaces the ceremony functions of the page. An insecure page has none, as in any browser. */
function install(settings: InPage): void {
  const page = globalThis as unknown as PageGlobal;
  const container = page.navigator.credentials;
  if (!page.isSecureContext || container === undefined) return;
  const replace = (target: object, members: Members) => {
    for (const [name, value] of Object.entries(members)) {
      Object.defineProperty(target, name, { value, configurable: true, writable: true });
    }
  };
  const state = { ceremonies: 0, open: 0 };
  const ceremony = (kind: 'create' | 'get', original: Ceremony): Ceremony => {
    return async (options = {}) => {
      const { publicKey, mediation, signal } = options;
      if (publicKey === undefined) return original.call(container, options);
      const reason = hindrance(options, state.open);
      if (reason !== null) throw reason;
      state.ceremonies += 1;
      state.open += 1;
      const isConditional = mediation === 'conditional';
      const autofill = isConditional && kind === 'get';
      const conditionalKind = autofill ? 'autofill' : 'conditional-create';
      const call = { kind: isConditional ? conditionalKind : kind, ceremony: state.ceremonies } as const;
      const request = { ...call, options: toJson(publicKey) as object };
      const timeoutMs = autofill ? null : (publicKey.timeout ?? settings.timeoutMs);
      try {
        return await openCeremony(page, page[settings.binding] as Ask, request, { signal, timeoutMs });
      } finally {
        state.open -= 1;
      }
    };
  };
  replace(container, { create: ceremony('create', container.create), get: ceremony('get', container.get) });
  if (page.PublicKeyCredential === undefined) replace(page, { PublicKeyCredential: class PublicKeyCredential {} });
  replace(
    page.PublicKeyCredential as object,
    statics(settings, (request) => (page[settings.binding] as Ask)(request)),
  );
}
