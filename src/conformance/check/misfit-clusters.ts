import type { Misfit, MisfitCluster } from '../../contract/conformance-report.ts';
import type { Rejection } from '../model/rejection.ts';

/** Maximum number of clusters; further patterns are counted together. */
const clustersMax = 200;

const others = 'other patterns';

interface OpenCluster {
  readonly rule: string | null;
  readonly code: Rejection['code'];
  readonly pattern: string;
  readonly example: Misfit;
  events: number;
  /** Number of users whose first impossible event it contains. */
  users: number;
}

/** Groups impossible events by rule and pattern. */
export class MisfitClusters {
  readonly #clusters = new Map<string, OpenCluster>();

  /**
   * Counts an impossible event.
   * @param isFirst - `true` if it is the first one of its user
   * @param explain - creates the explanation, which is only needed for the first event of a cluster
   */
  add(
    { rule, code }: Pick<Rejection, 'rule' | 'code'>,
    pattern: string,
    isFirst: boolean,
    explain: () => Misfit,
  ): void {
    const own = `${rule} ${code} ${pattern}`;
    const key = this.#clusters.size < clustersMax || this.#clusters.has(own) ? own : others;
    let cluster = this.#clusters.get(key);
    if (cluster === undefined) {
      cluster = { rule, code, pattern: key === others ? others : pattern, example: explain(), events: 0, users: 0 };
      this.#clusters.set(key, cluster);
    }
    cluster.events += 1;
    if (isFirst) cluster.users += 1;
  }

  /** Lists the clusters, the largest first. */
  list(): readonly MisfitCluster[] {
    return [...this.#clusters.values()]
      .map(({ rule, code, pattern, events, users, example }) => ({ rule, code, pattern, events, users, example }))
      .toSorted((a, b) => b.events - a.events || (a.pattern < b.pattern ? -1 : 1));
  }
}
