import fc from 'fast-check';

/**
 * Properties are held with the same examples at every run, so that a run is a function of the sources. Set another seed by
 * `NUDGELAB_TEST_SEED` to look at others; a failing property prints the seed that repeats it.
 */
fc.configureGlobal({ seed: Number(process.env['NUDGELAB_TEST_SEED'] ?? 20_260_105) });
