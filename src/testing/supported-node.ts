import { NudgeLabError } from '../core/errors.ts';
import { isSupportedNode, oldestNode } from '../core/oldest-node.ts';
import { nodeVersion } from './environment.ts';

// Entries of the package import this file first, so an unsupported version is reported in one sentence.
if (!isSupportedNode(nodeVersion)) {
  throw new NudgeLabError('runtime-too-old', {
    message: `Node ${nodeVersion} is too old; nudgelab needs Node ${oldestNode} or later.`,
  });
}
