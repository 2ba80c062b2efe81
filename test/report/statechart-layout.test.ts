import { describe, expect, it } from 'vitest';
import type { ControlReply } from '../../src/client/control-client.ts';
import { formatCurve, layoutStatechart } from '../../src/report/statechart-layout.ts';
import { nonEmpty } from '../non-empty.ts';
import { serveControl } from '../server/control-client.ts';

type Machine = ControlReply<'listMachines'>['machines'][number];

async function listMachines(): Promise<readonly Machine[]> {
  const { ask } = await serveControl();
  return (await ask('GET /machines')).body.machines;
}

describe('layout of a statechart', () => {
  it('no two states overlap, and every transition belongs to an arrow', async () => {
    for (const machine of nonEmpty(await listMachines())) {
      const { states, arrows, width, height } = layoutStatechart(machine, {
        listLines: (transitions) => transitions.map(({ event }) => event),
      });
      expect(states.map(({ id }) => id)).toEqual(expect.arrayContaining(machine.states.map(({ id }) => id)));
      const pairs = states.flatMap((one, at) => states.slice(at + 1).map((other) => ({ one, other })));
      for (const { one, other } of nonEmpty(pairs)) {
        const apart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect([machine.id, one.id, other.id, apart]).toEqual([machine.id, one.id, other.id, true]);
      }
      const drawn = arrows.flatMap(({ transitions }) => transitions.map(({ id }) => id));
      expect(drawn.toSorted()).toEqual(machine.transitions.map(({ id }) => id).toSorted());
      for (const { label } of nonEmpty(arrows)) {
        expect(label.x + label.width).toBeLessThanOrEqual(width);
        expect(label.y + label.height).toBeLessThanOrEqual(height);
      }
    }
  });

  it('a label shows at most five lines, and a drawing with many arrows reserves no space for labels', () => {
    const transitions = Array.from({ length: 6 }, (_, index) => ({ from: 'a', to: 'b', event: `event${index}` }));
    const chart = { states: [{ id: 'a' }, { id: 'b' }], transitions };
    const listLines = (all: readonly { readonly event: string }[]) => all.map(({ event }) => event);
    const labeled = layoutStatechart(chart, { listLines });
    expect(labeled.arrows.map(({ lines }) => lines)).toEqual([['event0', 'event1', 'event2', 'event3', '… 2 more']]);
    const busy = layoutStatechart(chart, { listLines, labeledArrowsMax: 0 });
    expect([labeled.isBusy, busy.isBusy]).toEqual([false, true]);
    const distance = ({ states: [a, b] }: typeof busy) => (b?.y ?? 0) - (a?.y ?? 0);
    expect(distance(busy)).toBeLessThan(distance(labeled));
  });

  it('an arrow is one curve through its points', () => {
    expect(formatCurve([])).toBe('');
    expect(
      formatCurve([
        { x: 0, y: 0 },
        { x: 4, y: 8 },
      ]),
    ).toBe('M0 0L4 8');
    expect(
      formatCurve([
        { x: 0, y: 0 },
        { x: 4, y: 8 },
        { x: 8, y: 8 },
      ]),
    ).toBe('M0 0Q4 8 8 8');
  });
});
