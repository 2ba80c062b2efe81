import type { ModelStep, PropertyModel } from '../models/property-model.ts';
import { ExploredGraph } from './explored-graph.ts';
import { LabelledGraph } from './labelled-graph.ts';
import type { StepGraph } from './step-graph.ts';

/**
 * Creates the graph of a model.
 *
 * @param model - the model
 * @param getSignature - text for a step; steps with equal texts are not distinguished
 * @returns the reachable states with their steps
 * @throws NudgeLabError `state-space-too-large` and the other errors of an exploration
 */
export function createGraph(model: PropertyModel, getSignature: (step: ModelStep) => string): StepGraph {
  return 'explored' in model ? new ExploredGraph(model, getSignature) : new LabelledGraph(model, getSignature);
}
