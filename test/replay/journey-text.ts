import type { JournalEntry } from '../../src/journal/journal-event.ts';
import { exportJourney, type JourneySlice } from '../../src/journal/journeys/export-journey.ts';
import { JourneySeal } from '../../src/journal/journeys/journey-writer.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { type OpenedJourney, openJourney } from '../../src/replay/read-journey.ts';

/** Creates a store with one journal, as sandbox `default`. */
function createStore(entries: readonly JournalEntry[]): MemoryStore {
  const store = new MemoryStore();
  for (const entry of entries) store.append('default', entry);
  return store;
}

/** Returns the journey of a part of a journal, as the text of its file. */
export async function journeyText(entries: readonly JournalEntry[], slice: JourneySlice = {}): Promise<string> {
  const lines: string[] = [];
  const source = { store: createStore(entries), sandboxId: 'default', digest: '' };
  for await (const line of await exportJourney(source, slice)) lines.push(line);
  return `${lines.join('\n')}\n`;
}

/** Opens a journey from its text. */
export function openText(text: string | Uint8Array): Promise<OpenedJourney> {
  return openJourney(chunks(typeof text === 'string' ? new TextEncoder().encode(text) : text));
}

/** Splits bytes into chunks that break within lines and characters. */
async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let index = 0; index < bytes.length; index += 997) yield bytes.subarray(index, index + 997);
}

/** Recomputes the digests of all lines, as a faulty writer would produce them. */
export function resealed(text: string): string {
  const seal = new JourneySeal();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { digest: _digest, ...bare } = JSON.parse(line) as Parameters<JourneySeal['line']>[0] & { digest?: string };
      return seal.line(bare);
    });
  return `${lines.join('\n')}\n`;
}
