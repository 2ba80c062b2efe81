import { describe, expect, it } from 'vitest';
import type { LookupTool } from '../../../src/contract/lookup.schema.ts';
import { parseLookupCommand, sentParameters } from '../../../src/sandbox/lookup/lookup-command.ts';

const tool = (id: string) => ({ id }) as LookupTool;
const tools = { email: [tool('wexlar'), tool('plimbo')], username: [tool('krintle')] };

/** Parses a query and returns the command, or the locations of its problems. */
function parseQuery(query: string): unknown {
  try {
    const question = parseLookupCommand(sentParameters(query), tools);
    return question.action === null
      ? [question.type, question.query, question.tool, question.tools.map(({ id }) => id)]
      : question.action;
  } catch (error) {
    const { code, problems } = error as { code: string; problems: readonly { location: string }[] };
    return { code, places: problems.map(({ location }) => location) };
  }
}

const refused = (...places: readonly string[]) => ({ code: 'bad-request', places });
const longest = 'a'.repeat(320);

describe('lookup parameters', () => {
  it.for([
    ['type=email&query=a@b&tool=wexlar', ['email', 'a@b', 'wexlar', ['wexlar']]],
    ['tool=all&query=a@b&type=email', ['email', 'a@b', 'all', ['wexlar', 'plimbo']]],
    ['type=username&query=ada&tool=krintle', ['username', 'ada', 'krintle', ['krintle']]],
    ['type=username&query=a%2Bb+c&tool=all', ['username', 'a+b c', 'all', ['krintle']]],
    ['&type=username&&query=ada&tool=all&', ['username', 'ada', 'all', ['krintle']]],
    ['type=username&query=a=b&tool=all', ['username', 'a=b', 'all', ['krintle']]],
    ['type=email&query=+a@b+&tool=wexlar', ['email', ' a@b ', 'wexlar', ['wexlar']]],
    ['type=username&query=ada&tool=all&api_key=secret', ['username', 'ada', 'all', ['krintle']]],
    [`type=username&query=${longest}&tool=all`, ['username', longest, 'all', ['krintle']]],
    [
      `type=username&query=${encodeURIComponent('🙂'.repeat(320))}&tool=all`,
      ['username', '🙂'.repeat(320), 'all', ['krintle']],
    ],
    ['action=tools', 'tools'],
    ['action=usage&api_key=secret', 'usage'],
  ] as const)('L2: parses %s', ([query, expected]) => {
    expect(parseQuery(query)).toEqual(expected);
  });

  it.for([
    ['', ['type', 'query', 'tool']],
    ['type=email', ['query', 'tool']],
    ['type=phone&query=ada&tool=all', ['type']],
    ['type=phone&query=ada', ['type', 'tool']],
    ['type=phone&query=ada&tool=', ['type', 'tool']],
    ['type=email&query=a@b&tool=krintle', ['tool']],
    ['type=email&query=a@b&tool=none', ['tool']],
    ['type=email&query=&tool=all', ['query']],
    ['type=email&query&tool=all', ['query']],
    ['type=email&query=ada&tool=all', ['query']],
    ['type=email&query=@b&tool=all', ['query']],
    ['type=email&query=a@&tool=all', ['query']],
    ['type=email&query=+@b&tool=all', ['query']],
    [`type=username&query=${longest}a&tool=all`, ['query']],
    ['type=username&query=a%00b&tool=all', ['query']],
    ['type=username&query=a%0Ab&tool=all', ['query']],
    ['type=username&query=a%7Fb&tool=all', ['query']],
    ['type=username&query=%FF&tool=all', ['query', 'query']],
    ['type=username&query=%E0%A4&tool=all', ['query', 'query']],
    ['%FF=1&type=username&query=ada&tool=all', ['a parameter']],
    ['other=%FF&type=username&query=ada&tool=all', ['a parameter', 'a parameter']],
    ['other=1&type=username&query=ada&tool=all', ['a parameter']],
    ['type=email&type=email&query=a@b&tool=all', ['type']],
    ['action=none', ['action']],
    ['action=', ['action']],
    ['action=tools&query=ada&tool=all&type=email', ['type', 'query', 'tool']],
    ['action=tools&action=tools', ['action']],
    ['action=none&type=email', ['type', 'action']],
  ] as const)('bad-request: %s is rejected because of %j', ([query, places]) => {
    expect(parseQuery(query)).toEqual(refused(...places));
  });

  it('the error message contains no submitted value', () => {
    try {
      parseLookupCommand(sentParameters('type=secret1&query=secret2%00&tool=secret3&action4=x'), tools);
      expect.fail('It was read.');
    } catch (error) {
      expect(String((error as Error).message)).not.toMatch(/secret|action4/);
    }
  });
});
