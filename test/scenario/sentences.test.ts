import { describe, expect, it } from 'vitest';
import {
  expectationSentences,
  givenSentences,
  parseExpectation,
  parseGiven,
  sentencePatterns,
  stepOfSentence,
  stepSentence,
} from '../../src/scenario/gherkin-phrases.ts';

/** Counts the patterns of each step name that match a sentence as a whole and in one group. */
function matching(sentence: string): Readonly<Record<string, number>> {
  const counts = Object.entries(sentencePatterns).map(([word, patterns]) => [
    word,
    patterns.filter((pattern) => pattern.exec(sentence)?.[1] === sentence).length,
  ]);
  return Object.fromEntries(counts);
}

const steps: readonly object[] = [
  { signIn: { user: 'ada' } },
  { signIn: { user: 'ada', as: 's2', os: 'ios', network: 'office' } },
  { signIn: { user: "o'hara: x" } },
  { signIn: { user: '007' } },
  { signOut: {} },
  { next: {} },
  { next: { prompt: 'ada' } },
  { skip: {} },
  { skip: { prompt: 's2' } },
  { closeBrowser: {} },
  { abandon: {} },
  { reload: {} },
  { register: { passkey: { type: 'security-key', deviceId: null } } },
  { upgradePasskey: {} },
  { failRegistration: {} },
  { skipError: {} },
  { advance: { days: 1, hours: 2 } },
  { setClock: '2026-01-05T09:00:00.000Z' },
  { setTenant: { campaign: { state: 'enabled', includeTargets: [] } } },
  { setFaults: ['slow-policy', 'code-lost'] },
  { setFaults: [] },
  { setUser: { user: 'ada', methods: ['sms'] } },
  { removeMethod: { user: 'ada', method: 'fido2' } },
  { getPolicy: {} },
  { patchPolicy: { body: { a: [1, 'two', null, true] } } },
  { callApi: { method: 'DELETE', path: '/v1.0/users/ada', as: { app: 'tool' } } },
  { explain: { user: 'ada' } },
  { lookup: { query: 'a@b', type: 'email' } },
  { document: { list: {} } },
];

describe('sentences of a scenario', () => {
  it.for(steps)('the step %j becomes an equivalent sentence that matches exactly one pattern', (step) => {
    const sentence = stepSentence(step as never);
    expect(stepOfSentence(sentence)).toEqual(step);
    expect([sentence, matching(sentence)]).toEqual([sentence, { Given: 0, When: 1, Then: 0 }]);
  });

  it('each step has a distinct sentence', () => {
    const kinds = [...new Map(steps.map((step) => [Object.keys(step)[0], step])).values()];
    expect(kinds).toHaveLength(23);
    expect(new Set(kinds.map((step) => stepSentence(step as never))).size).toBe(23);
  });

  it.for([
    [{ page: 'prompt' }, 1],
    [{ visitedPages: ['account-picker', 'terms-of-use'] }, 1],
    [{ outcome: 'none', reason: 'snoozed' }, 2],
    [{ reason: null }, 1],
    [{ status: 204, headers: { etag: '"1"' }, body: { value: [] } }, 3],
    [{ remaining: 0, warnings: [] }, 2],
    [{ ceremony: { kind: 'create' }, signals: {} }, 2],
    [{ snoozes: 2, snoozesLeft: 1, nextPromptAt: null, state: 'snoozed' }, 1],
    [{ page: 'prompt', snoozes: 0 }, 2],
    [{}, 0],
  ] as const)('the expectation %j becomes %i equivalent sentences', ([expected, count]) => {
    const sentences = expectationSentences(expected);
    expect(sentences).toHaveLength(count);
    expect(Object.assign({}, ...sentences.map(parseExpectation))).toEqual(expected);
    for (const sentence of sentences) expect(matching(sentence)).toEqual({ Given: 0, When: 0, Then: 1 });
  });

  it('unset keys of an expectation have no sentence', () => {
    expect(expectationSentences({ page: undefined, snoozes: undefined, other: 1 })).toEqual([]);
  });

  it('the `given` section becomes equivalent sentences, with the users last', () => {
    const given = {
      users: { ada: 'sms-user', "o'hara": { methods: ['sms'] }, 'x: y': {}, 'a:b': {} },
      tenant: 'app-enabled',
      clients: ['spa'],
      faults: [],
      lookup: 'default',
      clock: '2026-01-05T09:00:00.000Z',
      ruleset: '2026-09',
      seed: 7,
    };
    const sentences = givenSentences({ ...given, other: 1 });
    expect(sentences).toHaveLength(11);
    for (const sentence of sentences)
      expect([sentence, matching(sentence)]).toEqual([sentence, { Given: 1, When: 0, Then: 0 }]);
    const read = sentences.map(parseGiven);
    expect(Object.assign({}, ...read.slice(0, 7))).toEqual({ ...given, users: undefined });
    expect(Object.assign({}, ...read.slice(7).map((one) => one?.['users']))).toEqual(given.users);
    expect(givenSentences({})).toEqual([]);
    expect(givenSentences({ users: 'none' })).toEqual([]);
  });

  it.for(['', 'nothing of the kind', 'the moon: full', 'the user ada', 'the prompt is skippedly'])(
    '"%s" is not a sentence of a scenario',
    (sentence) => {
      expect([parseGiven(sentence), stepOfSentence(sentence), parseExpectation(sentence)]).toEqual([null, null, null]);
      expect(matching(sentence)).toEqual({ Given: 0, When: 0, Then: 0 });
    },
  );
});
