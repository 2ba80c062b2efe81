import { describe, expect, it } from 'vitest';
import { loadPeer } from '../../src/testing/peer.ts';

describe('optional peer packages', () => {
  it('package-missing: the error names the package, the module that needs it and the install command', () => {
    expect(() => loadPeer('no-such-test-runner', 'nudgelab/playwright')).toThrow(
      expect.objectContaining({
        code: 'package-missing',
        message: expect.stringMatching(/nudgelab\/playwright requires no-such-test-runner.*npm install/),
      }),
    );
  });

  it('loads an installed package', () => {
    expect(loadPeer<{ readonly name: string }>('vitest/package.json', 'nudgelab/vitest').name).toBe('vitest');
  });
});
