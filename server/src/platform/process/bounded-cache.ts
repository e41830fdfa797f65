/**
 * For a cache of at most `count` entries, the longest unused of which goes first. The library's own `max` would allocate
 * all slots at once: 5.6 MB for 200 000.
 */
export const atMost = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })
