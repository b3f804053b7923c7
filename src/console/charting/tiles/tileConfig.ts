import type { Tile } from '#contract/stack/dashboards/dashboards.ts'

/** The content of a tile. */
export type TileConfig = NonNullable<Tile['config']>
/** One series of a tile. */
export type SelectItem = Exclude<NonNullable<TileConfig['select']>, string>[number]
