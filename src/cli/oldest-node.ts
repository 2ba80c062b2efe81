/** Oldest supported major version of Node.js. It must match package.json. */
export const oldestNodeMajor = 24;
