import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { type ImportedFile, matchImport, readImport, withoutSources, withSources } from '../files/importFile.ts'

/** The dashboards of a file being imported, and the matching sources of this deployment. */
export function useImport() {
  const sources = useQuery(q(useConnection().id, sourceEndpoints.list, {}))
  const [files, setFiles] = useState<readonly ImportedFile[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const matches = useMemo(() => matchImport(files, sources.data ?? [], chosen), [files, sources.data, chosen])
  const missing = useMemo(() => new Set(matches.flatMap(({ reference, to }) => (to ? [] : reference.id))), [matches])
  const targetIds = useMemo(
    () => new Map(matches.flatMap(({ reference, to }) => (to ? [[reference.id, to.id] as const] : []))),
    [matches],
  )

  /** Continues with other dashboards instead of those from the file: parts of them were skipped. */
  const leaveOut = (rest: readonly Dashboard[], names: readonly string[]) => {
    setFiles(files.map((file, index) => ({ ...file, dashboard: rest[index] ?? file.dashboard })))
    setLeftOut([...leftOut, ...names])
  }
  return {
    /** As read from the file. */
    dashboards: useMemo(() => files.map(({ dashboard }) => dashboard), [files]),
    /** Why the file could not be read. */
    problem,
    /** Names of skipped parts. */
    leftOut,
    sources,
    matches,
    /** Ids of sources without a match here. */
    missing,
    read: async (file: File) => {
      setLeftOut([])
      try {
        const found = readImport(await file.text())
        setFiles(found)
        setLeftOut(found.flatMap((importedFile) => importedFile.leftOut))
        setProblem(null)
      } catch (error) {
        setFiles([])
        setProblem(error instanceof Error ? error.message : String(error))
      }
    },
    chooseSource: (from: string, to: string) => setChosen((before) => ({ ...before, [from]: to })),
    leaveOut,
    leaveOutMissing: () => {
      const parts = files.map(({ dashboard }) => withoutSources(dashboard, missing))
      leaveOut(
        parts.map(({ dashboard }) => dashboard),
        parts.flatMap((part) => part.leftOut),
      )
    },
    /** A dashboard of the file with the sources of this deployment. */
    withSourcesHere: (dashboard: Dashboard) => withSources(dashboard, targetIds),
  }
}

export type Import = ReturnType<typeof useImport>
