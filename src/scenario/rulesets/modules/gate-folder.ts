import fs from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { textAtMost } from '../../data-file.ts';

/** Source of a gate module that may be loaded, or what is wrong with its path. */
export type ModuleSource = { readonly path: string; readonly text: string } | { readonly message: string };

/** Maximum size of a module in bytes. */
const moduleBytesMax = 262_144;

const advice = 'write the path of a *.gate.ts or *.gate.js file beside or below the ruleset, such as ./domain.gate.ts';

/**
 * Finds the file of a gate module. Its real path, with all links resolved, has to lie beside or below the ruleset that
 * names it; URLs, package names and absolute paths are rejected (OC37).
 *
 * @param rulesetPath - path of the ruleset file
 * @param written - path of the module, as it is written
 * @returns the real path and the source, or a message
 */
export function findModule(rulesetPath: string, written: string): ModuleSource {
  const shown = JSON.stringify(written);
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.test(written);
  if (scheme || isAbsolute(written) || written.startsWith('\\')) {
    return { message: `${shown} is a URL or an absolute path; ${advice}` };
  }
  if (!/\.gate\.(ts|js)$/.test(written)) return { message: `${shown} is no gate module; ${advice}` };
  const folder = fs.realpathSync(dirname(rulesetPath));
  const path = join(folder, written);
  if (!isBelow(path, folder)) return { message: `${shown} is outside the folder of the ruleset; ${advice}` };
  try {
    const real = fs.realpathSync(path);
    if (!isBelow(real, folder)) {
      return { message: `${shown} is a link to a file outside the folder of the ruleset; ${advice}` };
    }
    const text = textAtMost(real, moduleBytesMax);
    return text === null ? { message: `${shown} is larger than ${moduleBytesMax} bytes` } : { path: real, text };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing) return { message: `no file has the path ${shown}; ${advice}` };
    return { message: `${shown} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function isBelow(path: string, folder: string): boolean {
  const short = relative(folder, path);
  return short !== '' && short !== '..' && !short.startsWith(`..${sep}`) && !isAbsolute(short);
}
