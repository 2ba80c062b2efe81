/** How the names of evidence end that is a picture of a screen, small enough to stand in the report itself. */
export const shotEnding = '.webp';
