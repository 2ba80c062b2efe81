import type { Request } from 'express';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import type { DocumentRequest } from '../../sandbox/documents/document-exchange.ts';
import { createLocation } from '../control-api/base-url.ts';

/** Returns the base URL of a sandbox for a request and its path prefix. */
export function getDocumentLocation(request: Request, sandboxId: string): Pick<DocumentRequest, 'base' | 'prefix'> {
  const prefix = sandboxId === defaultSandboxId ? '' : `/s/${sandboxId}`;
  return { base: createLocation(request, sandboxId).baseUrl, prefix };
}
