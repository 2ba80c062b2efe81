/** The oldest major version of Node that runs the program; package.json says the same. */
export const oldestNodeMajor = 24;
