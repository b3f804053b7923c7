import { createContext } from 'react'
import type { ExplainFilters } from '#console/charting/explanation/useValueActions.ts'

/** The query over all tiles, for values of an explanation; undefined where none can be changed. */
export const TileFilters = createContext<ExplainFilters | undefined>(undefined)
