import fc from 'fast-check';

/**
 * Properties use the same examples in every run, so a run depends only on the sources. `NUDGELAB_TEST_SEED` sets
 * another random seed. A failed property prints the random seed that repeats the failure.
 */
fc.configureGlobal({ seed: Number(process.env['NUDGELAB_TEST_SEED'] ?? 20_260_105) });
