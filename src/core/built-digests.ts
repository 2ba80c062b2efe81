/** Digests of the program’s source files. */
interface BuiltDigests {
  /** Digest of all files that can affect a rebuilt state. */
  readonly model: string;
  /** Digest of all files that can affect a result. */
  readonly program: string;
}

/** Digests that the build computed from the sources, which are not published. `null` in the sources themselves. */
export const builtDigests = null as BuiltDigests | null;
