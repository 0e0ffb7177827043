/**
 * How many incidents stand in one segment at most. Smaller makes an arrival cheaper (the newest segment is indexed
 * again), larger makes a walk over decades cheaper; a place must fit into 16 bits.
 */
export const SEGMENT_CAPACITY = 8192
