/** Types of the tested clients, limited to what the tests use. These packages have no types. */

declare module 'express-session' {
  import type { RequestHandler } from 'express';

  interface Options {
    readonly secret: string;
    readonly resave: boolean;
    readonly saveUninitialized: boolean;
  }
  export default function session(options: Options): RequestHandler;
}

declare module 'passport' {
  import type { RequestHandler } from 'express';

  interface Authenticator {
    use(strategy: object): void;
    authenticate(name: string, options: object): RequestHandler;
  }
  const passport: { readonly Passport: new () => Authenticator };
  export default passport;
}

declare module 'passport-openidconnect' {
  interface Options {
    readonly issuer: string;
    readonly authorizationURL: string;
    readonly tokenURL: string;
    readonly userInfoURL: string;
    readonly clientID: string;
    readonly clientSecret: string;
    readonly callbackURL: string;
    readonly scope?: readonly string[];
    readonly nonce?: boolean;
  }
  type Verify = (issuer: string, profile: object, done: (error: Error | null, user?: object) => void) => void;
  export default class Strategy {
    constructor(options: Options, verify: Verify);
  }
}

/** The types of this package load those of browsers, which would replace the types of Node.js. */
declare module '@auth/express' {
  export const ExpressAuth: unknown;
}

declare module '@auth/express/providers/microsoft-entra-id' {
  const provider: unknown;
  export default provider;
}
