/** Pattern of a version in Semantic Versioning 2.0.0, without build metadata, which npm ignores. */
const form =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?$/;

/** Parsed version. */
export interface Version {
  readonly numbers: readonly number[];
  /** Identifiers after the hyphen; empty if the version is not a pre-release. */
  readonly preRelease: readonly string[];
}

/**
 * Parses a version.
 *
 * @param text - version such as `1.2.3` or `1.2.3-rc.1`
 * @returns its parts; `null` if the text is not a semantic version, or has build metadata
 */
export function parseVersion(text: string): Version | null {
  const found = form.exec(text);
  if (found === null) return null;
  return { numbers: found.slice(1, 4).map(Number), preRelease: found[4]?.split('.') ?? [] };
}

/**
 * Compares versions by precedence.
 *
 * @param one - first version
 * @param other - second version
 * @returns a negative number if the first version is older, 0 if both are equal, or a positive number if it is
 *   newer
 */
export function compareVersions(one: Version, other: Version): number {
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(one.preRelease, other.preRelease);
}

function comparePreReleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [index, identifier] of one.entries()) {
    const difference = compareIdentifiers(identifier, other[index]);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/**
 * Compares pre-release identifiers. Numbers are older than words, and a missing identifier is older than any other.
 */
function compareIdentifiers(one: string, other: string | undefined): number {
  if (other === undefined) return 1;
  if (one === other) return 0;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : 1;
}
