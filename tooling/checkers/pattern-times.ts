/** Proof that a regular expression takes time in proportion to the text. Tests cannot import the package by its name. */
export { check, type Diagnostics } from 'recheck';
