import type { Recorder } from '../recorder.ts';
import type { ApiVersion, DirectoryApiRequest, DirectoryApiResponse } from './directory-exchange.ts';
import type { DirectoryParts, DirectoryResponder } from './directory-responder.ts';
import { DirectoryStates } from './directory-states.ts';
import type { DirectoryView } from './directory-view.ts';

/**
 * Directory API of one sandbox, independent of HTTP. It reads the state of the journal and keeps none of its own. Its
 * resources and their schemas are loaded by the first request.
 */
export class DirectoryRequests {
  readonly #recorder: Recorder;
  readonly #parts: DirectoryParts;
  readonly #states: DirectoryStates;
  #responder: DirectoryResponder | null = null;

  /** Creates the API of a sandbox. Batches use its policy and its faults. */
  constructor(recorder: Recorder, parts: DirectoryParts) {
    this.#recorder = recorder;
    this.#parts = parts;
    this.#states = new DirectoryStates(recorder);
  }

  /** Returns the settings of the API and the names that it uses on the wire. */
  get view(): DirectoryView {
    return this.#states.current();
  }

  /**
   * Handles a request. Throws the errors with which the API rejects it: `not-found`, `method-not-allowed`,
   * `not-acceptable`, `unauthenticated`, `access-denied`, `bad-request`, and those of the body.
   */
  async handle(request: DirectoryApiRequest): Promise<DirectoryApiResponse> {
    return (this.#responder ?? (await this.#load())).handle(request);
  }

  /**
   * Handles a request to any resource below a version, also to the policy. Throws the errors of `handle` and of the
   * policy.
   *
   * @param getHeader - returns a header of the request by its name in lower case
   */
  async handleAny(
    request: DirectoryApiRequest,
    getHeader: (name: string) => string | undefined,
  ): Promise<DirectoryApiResponse> {
    return (this.#responder ?? (await this.#load())).handleAny(request, getHeader);
  }

  /** Lists the methods of a path. Throws `not-found`. */
  async methods(path: string, version: ApiVersion): Promise<string> {
    return (this.#responder ?? (await this.#load())).methods(path, version);
  }

  async #load(): Promise<DirectoryResponder> {
    const loaded = await import('./directory-responder.ts');
    this.#responder ??= new loaded.DirectoryResponder(this.#recorder, this.#states, this.#parts);
    return this.#responder;
  }
}
