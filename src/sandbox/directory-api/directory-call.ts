import type { ResourceTypeName } from '../../contract/directory-api/resource-types.ts';
import type { TimeSlices } from '../../core/time-slices.ts';
import type { Caller } from '../token-service.ts';
import type { ConfigurationChanges } from './configurations/configuration-changes.ts';
import type { DirectoryApiRequest } from './directory-exchange.ts';
import type { DirectoryView } from './directory-view.ts';
import type { MethodChanges } from './methods/method-changes.ts';
import type { AnyResourceSet } from './resource-set.ts';

/** Request to an operation after its path, access and options were checked. */
export interface DirectoryCall {
  readonly view: DirectoryView;
  readonly params: Readonly<Record<string, string>>;
  readonly cast: ResourceTypeName | null;
  readonly caller: Caller;
  readonly request: DirectoryApiRequest;
  /** Changes of the methods of users. */
  readonly changes: MethodChanges;
  /** Changes of the configurations of methods. */
  readonly configurations: ConfigurationChanges;
  /** Reads and parses the body. Throws `bad-request`. */
  readonly readBody: () => Promise<unknown>;
  /** Slices of a task that reads many users. */
  readonly slices: TimeSlices;
  /** Returns the state after changes. */
  readonly currentView: () => DirectoryView;
}

/** Result of an operation: resources, or a value with its type for the context. */
export type OperationResult =
  | { readonly kind: 'set'; readonly set: AnyResourceSet }
  | { readonly kind: 'value'; readonly type: string; readonly value: unknown }
  | { readonly kind: 'created'; readonly set: AnyResourceSet; readonly id: string }
  | { readonly kind: 'changed'; readonly set: AnyResourceSet }
  | { readonly kind: 'done' };

/** Handler of an operation. */
export type DirectoryHandler = (call: DirectoryCall) => OperationResult | Promise<OperationResult>;
