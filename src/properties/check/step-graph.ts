import type { FactColumn, ModelStep, PropertyModel } from '../models/property-model.ts';

/**
 * Reachable states of a model with their steps. States are numbered in breadth-first order from 0, so a lower number
 * never has a longer shortest path. Steps that lead to the same state and that no property distinguishes are one.
 */
export interface StepGraph {
  readonly model: PropertyModel;
  readonly states: number;
  /** Offset of the steps of each state, followed by the total number. */
  readonly offsets: Uint32Array;
  readonly targets: Int32Array;
  /** Class of each step. */
  readonly labels: Uint16Array;
  /** A step of each class. */
  readonly steps: readonly ModelStep[];
  /** Returns the values of a fact in all states, by its name; `null` if the model has no such fact. */
  readonly findColumn: (name: string) => FactColumn | null;
  /** Finds an action that takes a step of a class between two states. */
  readonly findStep: (from: number, label: number, to: number) => ModelStep;
}
