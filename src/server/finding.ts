import type { ServerResponse } from 'node:http';
import { LruMap } from '../core/lru-map.ts';

/** What the developer of an application should know, such as the reason for a rejection that browsers hide. */
export interface Finding {
  /** Id of the sandbox. `null` if the request belongs to none. */
  readonly sandbox: string | null;
  readonly message: string;
}

/** Listener for findings. The embedding application decides how to handle them. */
export type FindingListener = (finding: Finding) => void;

/** Maximum number of messages that are remembered so each is reported once. */
const messagesMax = 1_000;

/** Maximum length of a message in characters. Parts of it come from requests. */
const messageCharactersMax = 512;

/** Creates a listener that passes each message on once. */
export function reportOnce(onFinding: FindingListener): FindingListener {
  const reported = new LruMap<string, true>({ max: messagesMax });
  return (finding) => {
    if (reported.get(finding.message) === true) return;
    reported.set(finding.message, true);
    onFinding(finding);
  };
}

/** Reports a finding about a request, and adds it to the log entry of the request. */
export function noteFinding(response: ServerResponse, text: string): void {
  const { locals = {} } = response as { readonly locals?: Readonly<Record<string, unknown>> };
  const message = text.slice(0, messageCharactersMax);
  const entry = locals['logged'] as { finding?: string } | undefined;
  if (entry !== undefined) entry.finding = message;
  const report = locals['onFinding'] as FindingListener | undefined;
  report?.({ sandbox: (locals['sandboxId'] as string | undefined) ?? null, message });
}
