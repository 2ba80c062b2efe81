/**
 * Finds the cycles of a directed graph: strongly connected components of several nodes (Tarjan's algorithm), and nodes
 * that point at themselves.
 *
 * @param graph - Successors of each node.
 * @returns the nodes of each cycle in sorted order, with the cycles sorted by their first node.
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
  /** Order in which the search visited each node. */
  readonly order: Map<string, number>;
  /** Earliest node on the stack that is known to be reachable from each node. */
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

/**
 * Removes a finished component from the stack. It is a cycle if it has several members or its only member points at
 * itself.
 */
function close(node: string, { graph, stack, cycles }: Search): void {
  const members = stack.splice(stack.indexOf(node));
  if (members.length > 1 || graph.get(node)?.has(node) === true) cycles.push(members.sort());
}
