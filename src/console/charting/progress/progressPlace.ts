import { createContext } from 'react'

/**
 * The element in which the reads of a part of a page show their progress, such as the header of a tile. Null until it is
 * drawn, and undefined for parts that have none: there the progress has a line of its own.
 */
export const ProgressPlace = createContext<HTMLElement | null | undefined>(undefined)
