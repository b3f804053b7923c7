import { paths } from '#console/paths/paths.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { singular } from '#contract/wire/naming.ts'

/** The page of a record. */
export function recordPath(kind: RecordKind, connectionId: string, id: string): string {
  return paths[singular(kind)](connectionId, id)
}
