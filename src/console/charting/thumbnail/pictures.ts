/**
 * Small pictures of dashboards as they were last seen, kept in this browser: shapes without names, values or times. Reading
 * one sends no request.
 */
import { z } from 'zod'

const share = z.number().min(0).max(1)

const shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('lines'), lines: z.array(z.array(share.nullable())) }),
  z.object({ kind: z.literal('columns'), values: z.array(share) }),
  z.object({ kind: z.literal('bars'), values: z.array(share) }),
  z.object({ kind: z.literal('plain') }),
])
/** The picture of a tile: lines and columns from left to right, bars from top to bottom; 1 is the highest value. */
export type Shape = z.infer<typeof shape>

const picture = z.object({
  /** In columns and rows of the grid. */
  tiles: z.array(z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number(), shape })),
})
export type Picture = z.infer<typeof picture>

const key = 'stack-console.pictures'
/** Dashboards of which one is kept: those that were seen last. */
const kept = 24

/** By `connectionId/dashboardId`, the one that was seen last first. */
function readAll(): [string, unknown][] {
  try {
    return z.array(z.tuple([z.string(), z.unknown()])).parse(JSON.parse(localStorage.getItem(key) ?? '[]'))
  } catch {
    return []
  }
}

export function readPicture(connectionId: string, dashboardId: string): Picture | undefined {
  const found = readAll().find(([pictureKey]) => pictureKey === `${connectionId}/${dashboardId}`)
  return picture.safeParse(found?.[1]).data
}

export function keepPicture(connectionId: string, dashboardId: string, taken: Picture): void {
  const pictureKey = `${connectionId}/${dashboardId}`
  const others = readAll().filter(([other]) => other !== pictureKey)
  try {
    localStorage.setItem(key, JSON.stringify([[pictureKey, taken], ...others].slice(0, kept)))
  } catch {
    // A browser that keeps nothing shows the places of the tiles.
  }
}
