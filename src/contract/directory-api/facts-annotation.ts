/** Name of the instance annotation with the facts of a row (DIR76). */
export const factsAnnotation = 'nudgelab.facts';
