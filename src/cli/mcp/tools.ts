import { catalogTools } from './catalog-tools.ts';
import { explainTool } from './explain-tool.ts';
import { saveTool } from './save-tool.ts';
import { scenarioTools } from './scenario-tools.ts';
import { suiteTools } from './suite-tools.ts';
import type { Tool } from './tool.ts';

/** All tools by name, in the order in which they are listed. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  [explainTool, ...scenarioTools, ...catalogTools, ...suiteTools, saveTool].map((tool) => [tool.name, tool]),
);
