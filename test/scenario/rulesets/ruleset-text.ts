/** A ruleset with every key that is needed, line by line; tests replace lines of it or add others. */
const lines: Readonly<Record<string, string>> = {
  ruleset: 'ruleset: example',
  version: 'version: 1.0.0',
  format: 'format: 1',
  title: 'title: An example',
  methods: 'methods: { passkey: { label: passkey, kind: passkey } }',
  settings:
    'settings: { window: { type: duration, default: 7d }, count: { type: integer, min: 0, max: 9, default: 3 } }',
  facts:
    'facts: { user: { level: { type: integer, min: 0, max: 9, default: 0 }, on: { type: set, values: [a, b], default: [] }, endsAt: { type: instant, default: null } } }',
  gates: 'gates: [{ id: G1, summary: A member., when: { fact: user.type, is: member }, stop: not-a-member }]',
  reasons: 'reasons: { not-a-member: Only members. }',
};

/** Returns the text of the ruleset with other or additional lines by key. An empty text removes a line. */
export function rulesetText(changes: Readonly<Record<string, string>> = {}): string {
  const all = { ...lines, ...changes };
  return `${Object.values(all)
    .filter((line) => line !== '')
    .join('\n')}\n`;
}

/** Returns the number of the line that contains a key of the text. */
export function lineWith(text: string, key: string): number {
  return text.split('\n').findIndex((line) => line.startsWith(`${key}:`)) + 1;
}
