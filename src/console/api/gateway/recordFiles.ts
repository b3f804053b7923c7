/** The records of a connection as one zip of files. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { recordFilePaths, runPaths } from '#contract/console/environmentPaths.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import {
  exportedKinds,
  exportedKindsHeader,
  type ExportedKind,
  type FileImportInput,
  type FileImportPlan,
} from '#contract/console/recordFiles.ts'
import { requestFile } from '../send.ts'
import { plan, startRuns } from './runs.ts'

interface RecordExport {
  zip: ArrayBuffer
  kinds: ExportedKind[]
}

export async function exportRecords(connectionId: string): Promise<RecordExport> {
  const { content, headers } = await requestFile(fillPath(recordFilePaths.export, { connectionId }))
  const kinds: unknown = JSON.parse(decodeURIComponent(headers.get(exportedKindsHeader) ?? '[]'))
  return { zip: content, kinds: exportedKinds.parse(kinds) }
}

/** A zip that somebody chose. */
export interface RecordZip {
  /** Tells two choices apart, without comparing their content. */
  key: string
  name: string
  /** As base64. */
  content: string
}

export type ImportChoices = Required<Omit<FileImportInput, 'zip'>>

export const fileImportPlanQuery = (connectionId: string, { key, content }: RecordZip, choices: ImportChoices) =>
  queryOptions({
    queryKey: ['fileImportPlan', connectionId, key, choices],
    queryFn: ({ signal }) =>
      plan<FileImportPlan>(
        fillPath(runPaths.fileImportPlan, { connectionId }),
        { ...choices, zip: content } satisfies FileImportInput,
        signal,
      ),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

export const startFileImport = (connectionId: string, { content }: RecordZip, choices: ImportChoices, digest: string) =>
  startRuns(
    fillPath(runPaths.fileImports, { connectionId }),
    { ...choices, zip: content, digests: { [connectionId]: digest } },
    [connectionId],
  )
