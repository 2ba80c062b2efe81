/**
 * The script that puts a software authenticator into a page. The functions below run in the browser: the script is their own
 * source text, so they use one another and what a page has, and nothing that this file could import. Nothing is evaluated from
 * text in the page and no element is added, so a strict Content-Security-Policy has nothing to refuse.
 */

/** What the page tells the program, over the binding. */
export interface PageRequest {
  readonly kind: 'create' | 'conditional-create' | 'get' | 'autofill' | 'signal' | 'end';
  /** Counts the ceremonies of a page. */
  readonly ceremony: number;
  /** The options in JSON, or what is signalled; `null` at the end of a ceremony. */
  readonly options: object | null;
}

/** What the program answers; a ceremony that no one answers stays without one. */
export type PageAnswer =
  | { readonly kind: 'answered'; readonly response: object }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };

export interface PageSettings {
  /** Name of the binding on the page's global object. */
  readonly binding: string;
  /** An authenticator of this device verifies its user. */
  readonly userVerifyingPlatform: boolean;
}

/** The wait that a page allows when its options name none, in ms of the browser's time. */
const ceremonyTimeoutDefaultMs = 300_000;

/** The text of the script, for `addInitScript`. Takes the name of the binding and what the statics of the page shall say. */
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

/** The part of a page's global object that is used. */
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

/** Options as JSON: every buffer in them becomes base64url. */
function toJson(value: unknown): unknown {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return toText(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, toJson(member)]));
}

/** Options from JSON: the members that WebAuthn declares as buffers become such, those of the PRF extension among them. */
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

/** The object that a page expects: an instance of the browser's own classes, whose members are all its own. */
function toCredential(page: PageGlobal, json: Members): unknown {
  const own = (prototype: object | undefined, members: Members): object => {
    const object = Object.create(prototype ?? Object.prototype);
    for (const [name, value] of Object.entries(members))
      Object.defineProperty(object, name, { value, enumerable: true });
    return object;
  };
  const given = json['response'] as Members;
  const bytesOf = (name: string) => toBytes(String(given[name]));
  const registered = given['attestationObject'] !== undefined;
  const clientDataJSON = bytesOf('clientDataJSON');
  const response = registered
    ? own(page.AuthenticatorAttestationResponse?.prototype, {
        clientDataJSON,
        attestationObject: bytesOf('attestationObject'),
        getTransports: () => [...(given['transports'] as string[])],
        getAuthenticatorData: () => bytesOf('authenticatorData'),
        getPublicKey: () => bytesOf('publicKey'),
        getPublicKeyAlgorithm: () => given['publicKeyAlgorithm'],
      })
    : own(page.AuthenticatorAssertionResponse?.prototype, {
        clientDataJSON,
        authenticatorData: bytesOf('authenticatorData'),
        signature: bytesOf('signature'),
        userHandle: given['userHandle'] === undefined ? null : bytesOf('userHandle'),
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

/** Runs one ceremony: settled by the program's answer, the page's signal or the end of its time, whichever comes first. */
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

/** What the class PublicKeyCredential says and does without an object. */
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

/** Why a browser would not begin a ceremony; `null` when it would. */
function hindrance({ signal }: CeremonyOptions, openCeremonies: number): unknown {
  if (signal?.aborted === true) return signal.reason;
  return openCeremonies > 0 ? failure('OperationError', 'A request is already pending.') : null;
}

/** Replaces the ceremonies of the page. A page that is not secure has none, as in any browser. */
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
      const asked = { kind: isConditional ? conditionalKind : kind, ceremony: state.ceremonies } as const;
      const request = { ...asked, options: toJson(publicKey) as object };
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
