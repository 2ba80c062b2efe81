/**
 * Finds the cycles of a directed graph: the groups of nodes that reach each other (Tarjan's strongly connected components),
 * and nodes that point at themselves. Takes each node's successors; returns each group sorted, the groups by first member.
 */
export function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const search: Search = { graph, order: new Map(), low: new Map(), stack: [], cycles: [] };
  for (const node of graph.keys()) {
    if (!search.order.has(node)) visit(node, search);
  }
  return search.cycles.sort(([a = ''], [b = '']) => a.localeCompare(b));
}

interface Search {
  readonly graph: ReadonlyMap<string, ReadonlySet<string>>;
  /** When a node was met first. */
  readonly order: Map<string, number>;
  /** The earliest node that is known to be reachable from it and to reach it. */
  readonly low: Map<string, number>;
  readonly stack: string[];
  readonly cycles: string[][];
}

function visit(node: string, search: Search): number {
  const { graph, order, low, stack } = search;
  const index = order.size;
  order.set(node, index);
  low.set(node, index);
  stack.push(node);
  for (const next of graph.get(node) ?? []) {
    const reached = order.has(next) ? (stack.includes(next) ? order.get(next) : undefined) : visit(next, search);
    if (reached !== undefined) low.set(node, Math.min(low.get(node) ?? index, reached));
  }
  const lowest = low.get(node) ?? index;
  if (lowest === index) close(node, search);
  return lowest;
}

/** Takes a finished component off the stack; it is a cycle when it has two members or its one member points at itself. */
function close(node: string, { graph, stack, cycles }: Search): void {
  const members = stack.splice(stack.indexOf(node));
  if (members.length > 1 || graph.get(node)?.has(node) === true) cycles.push(members.sort());
}
