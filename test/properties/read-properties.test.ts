import { describe, expect, it } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { checkProperties } from '../../src/properties/check/check-properties.ts';
import type { Formula } from '../../src/properties/language/formula.ts';
import {
  all,
  always,
  atMostTimes,
  event,
  eventually,
  fact,
  not,
  page,
  precedes,
  previously,
  state,
  timePasses,
  unless,
  until,
  when,
} from '../../src/properties/language/formula-builder.ts';
import { readPropertiesText } from '../../src/properties/language/read-properties.ts';
import { createSystem } from './small-systems.ts';

/** Reads one formula in flow style, without the paths of its parts. */
function read(formula: string): Formula {
  const [property] = readPropertiesText(
    'p.properties.yaml',
    `properties:\n  - { id: p, title: P, property: ${formula} }\n`,
  );
  return JSON.parse(JSON.stringify(property?.formula, (key, value) => (key === 'path' ? undefined : value))) as Formula;
}

function plain(formula: Formula): unknown {
  return JSON.parse(JSON.stringify(formula));
}

/** Problems of a text, as `location: message`. */
function findProblems(text: string): readonly string[] {
  try {
    readPropertiesText('p.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    expect(error.code).toBe('property-invalid');
    return error.problems.map(({ location, message }) => `${location} ${message}`);
  }
}

describe('readPropertiesText', () => {
  it('PR16: YAML and the builder give the same formulas', () => {
    expect(read('{ always: { when: { event: go }, then: { eventually: { state: end }, within: 3 days } } }')).toEqual(
      plain(always(when(event('go'), eventually(state('end'), { days: 3 })))),
    );
    expect(read('{ times: { rises: n }, atMost: 3, between: [{ event: [a, b] }, { page: null }] }')).toEqual(
      plain(atMostTimes(3, fact('n').rises(), { kind: 'event', names: ['a', 'b'], fields: {} }, page(null))),
    );
    expect(read('{ hold: { fact: n, lessThan: { fact: m } }, unless: { time: passes } }')).toEqual(
      plain(unless(fact('n').lessThan(fact('m')), timePasses())),
    );
    expect(read('{ hold: { fact: n, is: 1 }, until: { event: e, with: { on: true } }, within: 2 weeks }')).toEqual(
      plain(until(fact('n').is(1), event('e', { on: true }), { days: 14 })),
    );
    expect(read('{ never: { all: [{ not: { state: a } }, { previously: { state: [a, b] } }] } }')).toEqual(
      plain(always(not(all(not(state('a')), previously(state('a', 'b')))))),
    );
    expect(read('{ first: { state: a }, before: { state: b } }')).toEqual(plain(precedes(state('a'), state('b'))));
    expect(read('{ always: { state: a }, for: 36 hours }')).toEqual(plain(always(state('a'), { days: 1.5 })));
  });

  it('PR17: every problem has its file, line and column', () => {
    const text = [
      'properties:',
      '  - id: one',
      '    title: One',
      '    property: { text: { state: a } }',
      '  - id: one',
      '    title: Two',
      '    property: { always: { state: a }, within: 3 days }',
      '  - id: three',
      '    title: Three',
      '    fair: [{ eventually: { state: a } }]',
      '    property: { eventually: { fact: n, atMost: many }, within: soon }',
      '',
    ].join('\n');
    const problems = findProblems(text);
    expect(problems).toHaveLength(6);
    expect(problems[0]).toMatch(/^p\.yaml:4:17 "text" is not an operator; .*did you mean "next"\?$/);
    expect(problems[1]).toMatch(/^p\.yaml:7:39 "within" does not belong to "always"/);
    expect(problems[2]).toMatch(/^p\.yaml:10:12 must be a condition/);
    expect(problems[3]).toMatch(/^p\.yaml:11:48 "many" is not a number or/);
    expect(problems[4]).toMatch(/^p\.yaml:11:64 "soon" is not a duration/);
    expect(problems[5]).toBe('p.yaml:5:9 "one" is the id of another property');
  });

  it('PR17: files without properties, unknown keys and wrong shapes are refused', () => {
    const one = (property: string) => `properties:\n  - { id: p, title: P, property: ${property} }\n`;
    expect(findProblems('properties: []\n')).toEqual([expect.stringMatching(/^p\.yaml:1:13 properties/)]);
    expect(findProblems('properties: [\n')[0]).toMatch(/^p\.yaml:\d+:\d+ /);
    expect(findProblems('properties:\n  - { id: P1, title: P, property: {}, rule: R1 }\n').length).toBeGreaterThan(1);
    expect(findProblems(one('{ previously: { event: a } }'))).toEqual([
      expect.stringContaining('condition of a state'),
    ]);
    expect(findProblems(one('{ times: { event: a }, atMost: 3, between: [{ event: a }] }'))).toEqual([
      expect.stringContaining('the start and the end'),
    ]);
    expect(findProblems(one('{ times: { event: a }, atMost: 101, between: [{ event: a }, { event: b }] }'))).toEqual([
      expect.stringContaining('from 0 to 100'),
    ]);
    expect(findProblems(one('{ fact: n }'))).toEqual([expect.stringContaining('"fact" needs one of is')]);
    expect(findProblems(one('{ fact: n, is: 1, atMost: 2 }'))).toEqual([expect.stringContaining('needs one of')]);
    expect(findProblems(one('[]'))).not.toEqual([]);
    expect(findProblems(one('{ eventually: { state: a }, within: 400 days }'))).toEqual([
      expect.stringContaining('at most 366 days'),
    ]);
  });
});

describe('names of properties', () => {
  const door = createSystem({ closed: { open: 'open', day: 'closed' }, open: { close: 'closed' } });

  function findUnknown(formula: string): string {
    const properties = readPropertiesText('p.yaml', `properties:\n  - { id: p, title: P, property: ${formula} }\n`);
    try {
      checkProperties(door, properties);
      return '';
    } catch (error) {
      return error instanceof NudgeLabError ? error.problems.map((one) => `${one.location} ${one.message}`).join() : '';
    }
  }

  it('PR18: a fact, event, action, state or duration that the machine lacks is an error at its place', () => {
    expect(findUnknown('{ always: { event: opn } }')).toMatch(/^p\.yaml:2:44 unknown event: .*did you mean "open"\?$/);
    expect(findUnknown('{ always: { action: opn } }')).toMatch(/unknown action/);
    expect(findUnknown('{ always: { fact: stat, is: 1 } }')).toMatch(/unknown fact: .*did you mean "state"\?$/);
    expect(findUnknown('{ always: { falls: count } }')).toMatch(/unknown fact/);
    expect(findUnknown('{ always: { state: closes } }')).toMatch(/state is never "closes".*did you mean "closed"\?$/);
    expect(findUnknown('{ eventually: { state: open }, within: 12 hours }')).toMatch(/advances by 1 day/);
    expect(findUnknown('{ always: { state: [open, closed] } }')).toBe('');
  });
});
