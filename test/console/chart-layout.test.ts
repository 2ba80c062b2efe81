import { describe, expect, it } from 'vitest';
import { formatCurve, layoutChart, type Machine } from '../../console/src/model/chart-layout.ts';
import { nonEmpty } from '../non-empty.ts';
import { serveControl } from '../server/control-client.ts';

async function machinesOf(): Promise<readonly Machine[]> {
  const { ask } = await serveControl();
  return (await ask('GET /machines')).body.machines;
}

describe('the picture of a machine', () => {
  it('every state has a place of its own, and every transition an arrow', async () => {
    for (const machine of nonEmpty(await machinesOf())) {
      const { states, arrows, width, height } = layoutChart(machine);
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
