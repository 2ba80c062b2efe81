import { describe, expect, it } from 'vitest';
import { readMappingFile, readMappingText } from '../../src/conformance/log/read-mapping.ts';
import { createTimeReader, roundingOffsets } from '../../src/conformance/log/time-format.ts';
import type { NudgeLabError } from '../../src/core/errors.ts';

const good = `user: who
time: { field: at }
event: { field: what, values: { ask: prompt-skippable } }
`;

function listProblems(text: string): readonly { readonly location: string; readonly message: string }[] {
  try {
    readMappingText('log.mapping.yaml', text);
  } catch (error) {
    expect((error as NudgeLabError).code).toBe('mapping-invalid');
    return (error as NudgeLabError).problems;
  }
  return [];
}

describe('mappings of logs', () => {
  it('mapping-invalid: every fault has its line and column, and the nearest known name', () => {
    expect(listProblems(good.replace('prompt-skippable', 'prompt-skipable'))).toEqual([
      { location: 'log.mapping.yaml:3:38', message: expect.stringContaining('did you mean "prompt-skippable"?') },
    ]);
    expect(listProblems(`${good}unobservd: [closed]\n`)).toEqual([
      { location: 'log.mapping.yaml:4:1', message: expect.stringContaining('unobserved') },
    ]);
    expect(listProblems(`${good}missing: 9\npolicy: { days: 15 }\n`).map(({ location }) => location)).toEqual([
      'log.mapping.yaml:4:10',
      'log.mapping.yaml:5:17',
    ]);
  });

  it.each([
    ['time.format', good.replace('field: at }', 'field: at, format: epoch-second }'), 'did you mean "epoch-seconds"?'],
    ['time.format', good.replace('field: at }', 'field: at, format: dd.MM }'), 'or a pattern with yyyy, MM and dd'],
    ['event.values', good.replace('prompt-skippable', 'ignored'), 'must give at least one value a meaning'],
    ['event.values', good.replace('prompt-skippable', 'policy-changed'), 'policyFields must name a column'],
    ['policy.changes.0.at', `${good}policy: { changes: [{ at: tomorrow }] }\n`, 'is not an ISO 8601 instant'],
    [
      'policy.changes.1.at',
      `${good}policy: { changes: [{ at: '2026-02-01' }, { at: '2026-01-01' }] }\n`,
      'is before the change above it',
    ],
  ])('mapping-invalid: %s is checked beyond its type', (path, text, message) => {
    const [problem] = listProblems(text);
    expect(problem?.message).toContain(`${path}: `);
    expect(problem?.message).toContain(message);
    expect(problem?.location).toMatch(/^log\.mapping\.yaml:\d+:\d+$/);
  });

  it('mapping-invalid: broken YAML is a problem of its place, and a missing file is unreadable', () => {
    expect(listProblems('user: [')).toHaveLength(1);
    expect(() => readMappingFile('/nowhere/log.mapping.yaml', 'log.mapping.yaml')).toThrowError(
      expect.objectContaining({ code: 'file-unreadable' }),
    );
  });

  it('A6: times are read in every format, and others are rejected', () => {
    const march = Date.UTC(2026, 2, 1, 9, 30);
    expect(createTimeReader('iso')('2026-03-01T10:30:00+01:00')).toBe(march);
    expect(createTimeReader('iso')('2026-03-01T10:30:00')).toBe(null);
    expect(createTimeReader('epoch-seconds')(march / 1000)).toBe(march);
    expect(createTimeReader('epoch-milliseconds')(String(march))).toBe(march);
    expect(createTimeReader('epoch-seconds')('')).toBe(null);
    expect(createTimeReader('dd.MM.yyyy HH:mm')('01.03.2026 09:30')).toBe(march);
    expect(createTimeReader('dd.MM.yyyy HH:mm')('31.02.2026 09:30')).toBe(null);
    expect(createTimeReader('yyyy-MM-dd')('2026-3-1')).toBe(null);
  });

  it('R5: a rounded time stands for every time of its unit, with the error of the clocks', () => {
    const time = { field: 'at', format: 'iso' } as const;
    expect(roundingOffsets({ ...time, rounded: 'millisecond', to: 'earlier', toleranceSeconds: 0 })).toEqual([-0, 0]);
    expect(roundingOffsets({ ...time, rounded: 'minute', to: 'earlier', toleranceSeconds: 0 })).toEqual([-0, 59_999]);
    expect(roundingOffsets({ ...time, rounded: 'day', to: 'nearest', toleranceSeconds: 5 })).toEqual([
      -43_205_000, 43_204_999,
    ]);
  });
});
