/**
 * The chart library formats numbers by the language of the browser as soon as it is loaded. A browser that was started under a
 * POSIX locale names one that no formatter knows; it then counts as English.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
