import type { ExploredModel, FactColumn, ModelStep } from '../models/property-model.ts';
import type { StepGraph } from './step-graph.ts';

/** Graph of a model whose states were explored already. */
export class ExploredGraph implements StepGraph {
  readonly model: ExploredModel;
  readonly states: number;
  readonly offsets: Uint32Array;
  readonly targets: Int32Array;
  readonly labels: Uint16Array;
  readonly steps: readonly ModelStep[];
  /** Class of each step of the model. */
  readonly #classOf: readonly number[];

  /**
   * Joins the steps of a model into classes.
   *
   * @param model - the model
   * @param getSignature - text for a step; steps with equal texts are not distinguished
   */
  constructor(model: ExploredModel, getSignature: (step: ModelStep) => string) {
    const { states, offsets, targets, labels, steps } = model.explored;
    const examples: ModelStep[] = [];
    const bySignature = new Map<string, number>();
    this.#classOf = steps.map((step) => {
      const signature = getSignature(step);
      const number = bySignature.get(signature) ?? examples.push(step) - 1;
      bySignature.set(signature, number);
      return number;
    });
    this.model = model;
    this.states = states;
    this.steps = examples;
    this.offsets = new Uint32Array(states + 1);
    this.targets = new Int32Array(targets.length);
    this.labels = new Uint16Array(targets.length);
    let total = 0;
    for (let state = 0; state < states; state += 1) {
      const start = total;
      for (let at = offsets[state] as number; at < (offsets[state + 1] as number); at += 1) {
        const label = this.#classOf[labels[at] as number] as number;
        const target = targets[at] as number;
        if (this.#isListed(start, total, label, target)) continue;
        this.targets[total] = target;
        this.labels[total] = label;
        total += 1;
      }
      this.offsets[state + 1] = total;
    }
    this.targets = this.targets.subarray(0, total);
    this.labels = this.labels.subarray(0, total);
  }

  findColumn(name: string): FactColumn | null {
    return this.model.facts.find((column) => column.name === name) ?? null;
  }

  findStep(from: number, label: number, to: number): ModelStep {
    const { offsets, targets, labels, steps } = this.model.explored;
    for (let at = offsets[from] as number; at < (offsets[from + 1] as number); at += 1) {
      const number = labels[at] as number;
      if (targets[at] === to && this.#classOf[number] === label) return steps[number] as ModelStep;
    }
    return this.steps[label] as ModelStep;
  }

  #isListed(start: number, end: number, label: number, target: number): boolean {
    for (let at = start; at < end; at += 1) {
      if (this.targets[at] === target && this.labels[at] === label) return true;
    }
    return false;
  }
}
