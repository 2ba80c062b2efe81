import { NudgeLabError } from './errors.ts';

/**
 * Loads a package that users install only when they want what it does (decision 054). Takes its name, what needs it in words
 * that begin the sentence, and the import of it, written out where it is called so that compilers and checks see it. It may
 * name all that is installed together. Throws `package-missing` when it cannot be loaded, with what to install.
 */
export async function optionalPackage<T>(
  name: string,
  need: string,
  load: () => Promise<T>,
  install = name,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new NudgeLabError('package-missing', {
      message: `${need} the optional package ${name}, which is not installed: npm install ${install}`,
      cause,
    });
  }
}
