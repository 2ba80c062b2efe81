import { describe, expect, it } from 'vitest';
import { FactsReader } from '../../src/cli/explain/facts-reader.ts';
import { completeFacts } from '../../src/contract/attempt-facts.ts';
import { factsSchema } from '../../src/contract/facts.schema.ts';

/** Parses a line as a whole. Reading it in parts must have the same result. */
function whole(line: string): unknown {
  try {
    const parsed = factsSchema.safeParse(JSON.parse(line));
    return parsed.success ? completeFacts(parsed.data) : 'refused';
  } catch {
    return 'refused';
  }
}

const lines: readonly string[] = [
  '{"tenant":{},"user":{"id":"ada"}}',
  '{"tenant":{"id":"t"},"user":{"id":"ada"},"ruleset":"2026-09"}',
  '{"user":{"id":"ada"},"tenant":{"id":"t"}}',
  '{ "tenant": {"id":"t"}, "user": {"id":"ada"} }',
  '{"tenant":{"groups":{"g":[],"user":["g"]}},"user":{"id":"ada"}}',
  '{"tenant":{"id":"a,\\"user\\":"},"user":{"id":"ada"}}',
  '{"tenant":{"id":"t"},"user":{"id":"ada"},"tenant":{"id":"other"}}',
  '{"tenant":{"id":"t"},"ruleset":"seed","user":{"id":"ada"}}',
  '{"tenant":null,"user":{"id":"ada"}}',
  '{"tenant":,"user":{"id":"ada"}}',
  '{"tenant":{"id":"t"}},"user":{"id":"ada"}}',
  '{"tenant":{"id":"t"},"user":{"id":"ada"}',
  '{"tenant":{"id":"t"},"user":{"id":"ada"}}}',
  '{"tenant":{"id":"t","color":1},"user":{"id":"ada"}}',
  '{"tenant":{"id":"t"},"user":{"id":""}}',
  '{"tenant":{"id":"t"},"user":{"id":"ada"},"extra":1}',
];

describe('facts-invalid: lines read in parts', () => {
  it.each(lines)('reading in parts has the same result as parsing the whole line: %s', (line) => {
    const reader = new FactsReader();
    for (const time of ['first', 'again']) {
      const read = reader.read(line);
      expect('problems' in read ? 'refused' : read, time).toEqual(whole(line));
    }
  });

  it('a tenant is parsed once, and lines with the same tenant share its facts', () => {
    const reader = new FactsReader();
    const facts = ['ada', 'eve'].map((id) => {
      const read = reader.read(`{"tenant":{"id":"t"},"user":{"id":"${id}"}}`);
      return 'facts' in read ? read.facts : expect.fail();
    });
    expect(facts[0]?.tenant).toBe(facts[1]?.tenant);
    expect(facts.map(({ user }) => user.id)).toEqual(['ada', 'eve']);
  });

  it('more tenants than the cache stores are all read', () => {
    const reader = new FactsReader();
    for (let number = 0; number < 5_000; number += 1) {
      const read = reader.read(`{"tenant":{"id":"t${number}"},"user":{"id":"ada"}}`);
      if (!('facts' in read) || read.facts.tenant.id !== `t${number}`) expect.fail(`tenant ${number}`);
    }
    expect(reader.read('{"tenant":{"id":"t0"},"user":{"id":"ada"}}')).toHaveProperty('facts');
  });
});
