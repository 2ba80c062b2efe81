import { describe, expect, it } from 'vitest';
import { loadPeer } from '../../src/testing/peer.ts';

describe('packages that users install themselves', () => {
  it('package-missing: the package is named, who needs it, and how it is installed', () => {
    expect(() => loadPeer('no-such-test-runner', 'nudgelab/playwright')).toThrow(
      expect.objectContaining({
        code: 'package-missing',
        message: expect.stringMatching(/nudgelab\/playwright needs no-such-test-runner.*npm install/),
      }),
    );
  });

  it('is loaded where it is there', () => {
    expect(loadPeer<{ readonly name: string }>('vitest/package.json', 'nudgelab/vitest').name).toBe('vitest');
  });
});
