/** `zod` of this program, for gate modules in folders without an installed one. */
export * from 'zod';
export { default } from 'zod';
