/**
 * Markers: `DATA_DIR/console.marker` and `stack.marker` say which database the folder was last used with, and how many writes
 * that had. Only with them can a start tell a database that is new from one that was lost or replaced by an older copy.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StateFile, UnusableState } from '../stateFile.ts'
import type { StoreName } from './dataLoss.ts'

const marker = z.object({
  /** The ID of the database: see `database/storeIdentity.ts`. */
  identity: z.string().min(1),
  /** Write transactions of the database. All of them were on the disk before the marker was. */
  sequence: z.number().int().min(0),
  /** ISO time. */
  writtenAt: z.string(),
})
export type Marker = z.infer<typeof marker>

const markerPath = (dataDir: string, name: StoreName | 'engine') => join(dataDir, `${name}.marker`)

/** The marker, undefined if there is none, or `damaged`. */
export function readMarker(dataDir: string, store: StoreName): Marker | 'damaged' | undefined {
  try {
    return new StateFile(markerPath(dataDir, store), marker).read()
  } catch (error) {
    if (error instanceof UnusableState) return 'damaged'
    throw error
  }
}

/** On the disk when it returns. @throws NotStored if the disk is full or read-only: the old marker stays */
export function writeMarker(
  dataDir: string,
  store: StoreName,
  { identity, sequence }: Omit<Marker, 'writtenAt'>,
): void {
  new StateFile(markerPath(dataDir, store), marker).write({ identity, sequence, writtenAt: new Date().toISOString() })
}

/**
 * Removes all markers: for a restore, before it puts databases into the folder. The next time that a database is opened, it gets
 * a new marker.
 */
export function removeMarkers(dataDir: string): void {
  for (const name of ['console', 'stack', 'engine'] as const) rmSync(markerPath(dataDir, name), { force: true })
}
