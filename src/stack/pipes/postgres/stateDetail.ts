/** The state text of a Postgres pipe: how each table is followed and why, and what needs a person. */
import type { Report } from '../loads/pipeRunner.ts'
import type { ReplicationMode } from './replicationMode.ts'
import type { SourceTable } from './source/postgresTables.ts'

interface Sorted {
  followed: readonly SourceTable[]
  polled: readonly SourceTable[]
  /** Copied once, and not followed. */
  once: readonly SourceTable[]
}

/** @param problems with tables that are neither */
export function stateOf(mode: ReplicationMode, sorted: Sorted, seconds: number, problems: readonly string[]): Report {
  const { followed, polled, once } = sorted
  const names = (tables: readonly SourceTable[]) => counted(tables.map(({ name }) => name))
  const why = mode.slot === null ? `: no logical replication, ${mode.reason}` : ', whose changes are not logged by key'
  const sentences = [
    ...problems,
    ...(mode.slot === null && mode.waits ? [`${mode.reason}, and the pipe waits for one`] : []),
    ...(followed.length > 0
      ? [`logical replication of ${names(followed)} every ${seconds} s, from slot ${mode.slot}`]
      : []),
    ...(polled.length > 0
      ? [
          `polling ${names(polled)} for new rows every ${seconds} s by ${polled.length === 1 ? 'its' : 'their'} key; changed and deleted rows are not followed${why}`,
        ]
      : []),
    ...(once.length > 0
      ? [`copied once, having no key that could be followed: ${once.map(({ name }) => name).join(', ')}`]
      : []),
  ]
  const isWell = problems.length === 0 && !(mode.slot === null && mode.waits)
  return { state: isWell ? 'Running' : 'Degraded', detail: sentences.join('. ') }
}

export function counted(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : `${names.length} tables`
}
