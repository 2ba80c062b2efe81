import { describe, expect, test } from 'vitest';
import { describeUnknownClient, listedClientsMax } from '../../src/core/unknown-client.ts';

const named = (...ids: readonly string[]) => ids.map((id) => ({ id }));
const many = (count: number) => named(...Array.from({ length: count }, (_, index) => `client-${index}`));

describe('client-not-found: message about an unknown client', () => {
  test('has the most similar id, if one is close', () => {
    const clients = named('shop', 'news');
    expect(describeUnknownClient('shpo', clients)).toBe(
      'This sandbox has no client "shpo"; did you mean "shop"? Its clients are shop, news.',
    );
    expect(describeUnknownClient('television', clients)).toBe(
      'This sandbox has no client "television". Its clients are shop, news.',
    );
  });

  test('lists as many ids as the limit, and counts the others', () => {
    const all = describeUnknownClient('x', many(listedClientsMax));
    expect([all.includes(`client-${listedClientsMax - 1}.`), all.includes('more')]).toEqual([true, false]);
    const more = describeUnknownClient('x', many(listedClientsMax + 3));
    expect(more).toContain(`client-${listedClientsMax - 1} and 3 more.`);
    expect(more).not.toContain(`client-${listedClientsMax},`);
  });

  test('says so if there is no client', () => {
    expect(describeUnknownClient('shop', [])).toBe('This sandbox has no client "shop". It has no clients at all.');
  });
});
