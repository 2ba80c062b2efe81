/** A failure that is no expected one: the server's operator has to hear of it. */
export interface Fault {
  readonly method: string;
  /** Without the query, which may hold what is nobody's business. */
  readonly path: string;
  readonly error: unknown;
}

/** Hears of faults; what it does with them is the embedder's choice. */
export type FaultListener = (fault: Fault) => void;
