import { NudgeLabError } from './errors.ts';

/**
 * Loads an optional package that users install only for its feature (decision 054).
 * @param name - name of the package
 * @param need - start of the error message, which names the feature
 * @param load - import of the package, written out by the caller so compilers and checks can see it
 * @param install - names of all packages to install together; the default is `name`
 * @throws `package-missing` with the install command if the package cannot be loaded
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
      message: `${need} the optional package ${name}, which is not installed. Run: npm install ${install}`,
      cause,
    });
  }
}
