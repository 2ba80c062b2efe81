import { versions } from 'node:process';
import { NudgeLabError } from '../core/errors.ts';
import { isSupportedNode, oldestNode } from '../core/oldest-node.ts';

// Entries of the package import this file first, so an unsupported version is reported in one sentence.
if (!isSupportedNode(versions.node)) {
  throw new NudgeLabError('runtime-too-old', {
    message: `Node ${versions.node} is too old; nudgelab needs Node ${oldestNode} or later.`,
  });
}
